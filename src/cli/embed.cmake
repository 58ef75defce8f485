# cmake "-DFILES=FILE;…" -DOUTPUT=FILE -P embed.cmake: writes the C++ source of cli::embedded_examples().
list(LENGTH FILES count)
set(rows "")
foreach(file IN LISTS FILES)
  get_filename_component(name ${file} NAME_WE)
  file(READ ${file} content)
  string(APPEND rows "    {\"${name}\", R\"EMBEDDED(${content})EMBEDDED\"},\n")
endforeach()
file(WRITE ${OUTPUT} "#include \"cli/embedded.h\"

#include <array>

namespace normtrace::cli {

std::span<const EmbeddedFile> embedded_examples() {
  static constexpr std::array<EmbeddedFile, ${count}> files{{
${rows}  }};
  return files;
}

}  // namespace normtrace::cli
")
