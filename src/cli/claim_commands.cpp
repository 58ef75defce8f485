#include "cli/claim_commands.h"

#include "classroom/claims/view.h"
#include "classroom/tables.h"
#include "cli/input.h"
#include "cli/view.h"
#include "text/suggest.h"

namespace normtrace::cli {

namespace {

constexpr unsigned evidence_digits = 4;

// A name that was not found: the nearest one, or where they are listed.
words::Message mend(const std::string& name, const std::vector<std::string_view>& names, std::string_view listed) {
  const std::string_view nearest = text::suggest(name, names);
  return !nearest.empty() ? words::Message{"usage.did_you_mean", {std::string(nearest)}}
                          : words::Message{std::string(listed), {}};
}

}  // namespace

int claims(const Arguments& arguments, const Session& session) {
  const auto& view = read_view("claims", classroom::claim_list_views(), arguments);
  refuse_further_words("claims", arguments, 0);
  print(view, classroom::judge_all(), {}, read_style(arguments, session, "none"), session);
  return done;
}

int claim(const Arguments& arguments, const Session& session) {
  const auto& view = read_view("claim", classroom::claim_views(), arguments);
  refuse_further_words("claim", arguments, 1);
  if (arguments.words.empty()) throw UsageError({"usage.claim_needed", {}}, {"usage.list_claims", {}});
  const std::string& id = arguments.words.front();
  const classroom::Claim* const claim = classroom::find_claim(id);
  if (!claim) throw UsageError({"usage.unknown_claim", {id}}, {"usage.list_claims", {}});
  render::Style style = read_style(arguments, session, "none");
  if (!arguments.has("--digits")) style.digits = evidence_digits;
  print(view, classroom::judged(*claim), {}, style, session);
  return done;
}

int show_table(const Arguments& arguments, const Session& session) {
  const auto& view = read_view("table", classroom::table_views(), arguments);
  refuse_further_words("table", arguments, 1);
  if (arguments.words.empty()) {
    print(read_view("table", render::listing_views(), arguments), classroom::list_of_tables(session.language), {},
          read_style(arguments, session, "none"), session);
    return done;
  }
  const std::string& name = arguments.words.front();
  const classroom::FactTable* const table = classroom::find_table(name);
  if (!table) {
    std::vector<std::string_view> names;
    for (const classroom::FactTable& known : classroom::tables()) names.push_back(known.name);
    throw UsageError({"usage.unknown_table", {name}}, mend(name, names, "usage.list_tables"));
  }
  print(view, *table, {}, read_style(arguments, session, "none"), session);
  return done;
}

}  // namespace normtrace::cli
