#include "bulk/npy.h"

#include <charconv>
#include <cstring>
#include <fstream>
#include <string_view>

#include "bulk/error.h"

namespace normtrace::bulk {

namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr std::size_t kLongestHead = std::size_t{1} << 16;
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 62;
constexpr std::size_t kMostDimensions = 64;
constexpr std::uint64_t kMostNumbers = std::uint64_t{1} << 27;  // that are kept in memory

// Of a little-endian file.
template <class Number>
Number as(const char* bytes) {
  Number number;
  std::memcpy(&number, bytes, sizeof number);
  return number;
}
double number_at(const char* bytes, Element element) {
  switch (element) {
    case Element::float16: return from_half(as<std::uint16_t>(bytes));
    case Element::float32: return as<float>(bytes);
    case Element::float64: break;
  }
  return as<double>(bytes);
}

// The dictionary of the head: a Python literal with the keys descr, fortran_order and shape, in any order.
class Dictionary {
 public:
  Dictionary(std::string_view text, const std::string& source) : text_(text), source_(source) {
    expect('{');
    while (!next_is('}')) {
      const std::string_view key = quoted();
      expect(':');
      if (key == "descr") {
        if (!next_is('\'') && !next_is('"')) throw Error(Error::bad_input, {"bulk.npy_structured", {source_}});
        type = quoted();
      } else if (key == "fortran_order") {
        fortran = word() == "True";
      } else if (key == "shape") {
        read_shape();
      } else {
        fail();
      }
      if (!next_is('}')) expect(',');
    }
    if (type.empty() || !has_shape_) fail();
  }

  std::string_view type;
  bool fortran = false;
  std::vector<std::uint64_t> shape;

 private:
  [[noreturn]] void fail() const { throw Error(Error::bad_input, {"bulk.npy_head", {source_}}); }

  bool next_is(char c) {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n')) ++at_;
    return at_ < text_.size() && text_[at_] == c;
  }
  void expect(char c) {
    if (!next_is(c)) fail();
    ++at_;
  }
  std::string_view quoted() {
    const char quote = next_is('"') ? '"' : '\'';
    expect(quote);
    const std::size_t end = text_.find(quote, at_);
    if (end == std::string_view::npos) fail();
    const std::string_view result = text_.substr(at_, end - at_);
    at_ = end + 1;
    return result;
  }
  std::string_view word() {
    next_is(' ');
    const std::size_t begin = at_;
    while (at_ < text_.size() && ((text_[at_] | 0x20) >= 'a' && (text_[at_] | 0x20) <= 'z')) ++at_;
    const std::string_view result = text_.substr(begin, at_ - begin);
    if (result != "True" && result != "False") fail();
    return result;
  }
  void read_shape() {
    expect('(');
    while (!next_is(')')) {
      std::uint64_t size;
      const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), size);
      if (error == std::errc::result_out_of_range) throw Error(Error::bad_input, {"bulk.npy_too_large", {source_}});
      if (error != std::errc()) fail();
      at_ = static_cast<std::size_t>(end - text_.data());
      if (next_is('L')) ++at_;  // Python 2
      shape.push_back(size);
      if (shape.size() > kMostDimensions) throw Error(Error::bad_input, {"bulk.npy_too_large", {source_}});
      if (!next_is(')')) expect(',');
    }
    expect(')');
    has_shape_ = true;
  }

  std::string_view text_;
  const std::string& source_;
  std::size_t at_ = 0;
  bool has_shape_ = false;
};

Element element_of(std::string_view type, const std::string& source) {
  if (type == "<f4") return Element::float32;
  if (type == "<f8") return Element::float64;
  if (type == "<f2") return Element::float16;
  if (type.starts_with('|') && type.substr(1).starts_with('O'))
    throw Error(Error::bad_input, {"bulk.npy_objects", {source}});
  // Whole numbers and numbers of the other byte order become float64, which holds those of 4 bytes and nearly all others.
  const bool is_real = type.size() > 1 && std::string_view("<>|=").find(type[0]) != std::string_view::npos &&
                       std::string_view("fiub").find(type[1]) != std::string_view::npos;
  throw Error(Error::bad_input, {"bulk.npy_type", {source, std::string(type.substr(0, 40))}},
              is_real ? words::Message{"bulk.npy_convert", {}} : words::Message{});
}

}  // namespace

std::uint64_t NpyHeader::elements() const {
  std::uint64_t count = 1;
  for (const std::uint64_t size : shape) count *= size;
  return count;
}

NpyHeader read_npy_header(Input& input) {
  const std::string& source = input.name();
  const auto truncated = [&] { return Error(Error::bad_input, {"bulk.npy_head_truncated", {source}}); };
  NpyHeader header;
  std::string& bytes = header.bytes;
  const auto extend = [&](std::size_t size) {
    const std::size_t before = bytes.size();
    bytes.resize(size);
    const std::size_t got = input.read(before, bytes.data() + before, size - before);
    bytes.resize(before + got);
    if (!kMagic.starts_with(std::string_view(bytes).substr(0, kMagic.size())))
      throw Error(Error::bad_input, {"bulk.npy_magic", {source}});
    if (bytes.size() != size) throw truncated();
  };
  extend(kMagic.size() + 2);
  const int version = static_cast<unsigned char>(bytes[kMagic.size()]);
  if (version < 1 || version > 3)
    throw Error(Error::bad_input, {"bulk.npy_version", {source, std::to_string(version)}});
  const std::size_t size_bytes = version == 1 ? 2 : 4;
  const std::size_t dictionary = kMagic.size() + 2 + size_bytes;
  extend(dictionary);
  std::size_t size = 0;
  for (std::size_t i = 0; i < size_bytes; ++i)
    size |= static_cast<std::size_t>(static_cast<unsigned char>(bytes[dictionary - size_bytes + i])) << (8 * i);
  if (size > kLongestHead) throw Error(Error::bad_input, {"bulk.npy_head", {source}});
  extend(dictionary + size);

  Dictionary read(std::string_view(bytes).substr(dictionary), source);
  header.element = element_of(read.type, source);
  header.shape = std::move(read.shape);
  if (header.shape.empty()) throw Error(Error::bad_input, {"bulk.npy_scalar", {source}});
  if (read.fortran && header.shape.size() > 1)
    throw Error(Error::bad_input, {"bulk.npy_fortran", {source}}, {"bulk.npy_ascontiguous", {}});
  std::uint64_t total = bytes_of(header.element);
  for (const std::uint64_t extent : header.shape) {
    if (extent != 0 && total > kMostBytes / extent) throw Error(Error::bad_input, {"bulk.npy_too_large", {source}});
    total *= extent;
  }
  if (input.size() && *input.size() != bytes.size() + total)
    throw Error(Error::bad_input, {*input.size() < bytes.size() + total ? "bulk.npy_truncated" : "bulk.npy_trailing",
                                   {source, std::to_string(bytes.size() + total), std::to_string(*input.size())}});
  return header;
}

bool is_npy(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string head(kMagic.size(), '\0');
  return file.read(head.data(), static_cast<std::streamsize>(head.size())).good() && head == kMagic;
}

std::vector<double> read_npy_numbers(const std::string& path) {
  Input input = Input::open(path);
  const NpyHeader header = read_npy_header(input);
  const std::uint64_t count = header.elements();
  const std::size_t size = bytes_of(header.element);
  if (count > kMostNumbers) throw Error(Error::bad_input, {"bulk.npy_too_large", {input.name()}});
  std::string bytes(count * size, '\0');
  if (input.read(header.bytes.size(), bytes.data(), bytes.size()) != bytes.size())
    throw Error(Error::bad_input, {"bulk.npy_head_truncated", {input.name()}});
  std::vector<double> numbers;
  numbers.reserve(count);
  for (std::uint64_t i = 0; i < count; ++i) numbers.push_back(number_at(bytes.data() + i * size, header.element));
  return numbers;
}

}  // namespace normtrace::bulk
