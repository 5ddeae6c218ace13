#include "emulator/ptx/debug_info.hpp"

#include "base/escaped_text.hpp"
#include "emulator/ptx/constants.hpp"

namespace kiln::emulator::ptx {

namespace {

// Reads the string in ".b8 95,90,0" up to its zero, and skips all such lines.
std::string string_of_bytes(Cursor& at) {
  std::string bytes;
  while (at.peek() == '.') {
    at.dotted();
    do bytes.push_back(static_cast<char>(constant(at).bits));
    while (at.take(','));
  }
  return bytes.substr(0, bytes.find('\0'));
}

}  // namespace

void DebugInfo::file(Cursor& at) {
  const std::uint32_t number = at.number32();
  module_.files[number] = unescaped(at.quoted());
  if (!at.take(',')) return;
  at.number();  // its time
  at.expect(',');
  at.number();  // its size
}

DebugInfo::Place DebugInfo::place(Cursor& at) {
  const std::uint32_t file = at.number32();
  const std::uint32_t line = at.number32();
  return {file, line, at.number32()};
}

std::int32_t DebugInfo::add(const Place& place, std::string_view function, std::int32_t inlined_at) {
  const auto [known, is_new] = latest_.try_emplace(place, -1);
  if (!is_new) {
    const Location& location = module_.locations[static_cast<std::size_t>(known->second)];
    if (location.inlined_at == inlined_at && location.function == function) return known->second;
  }
  known->second = static_cast<std::int32_t>(module_.locations.size());
  module_.locations.push_back({place.file, place.line, place.column, inlined_at, function});
  return known->second;
}

// "1 22 3", then "function_name $L__info_string0 + 4, inlined_at 1 22 3" in either order.
void DebugInfo::location(Cursor& at) {
  const Place where = place(at);
  std::string_view function;
  std::int32_t inlined_at = -1;
  while (at.take(',')) {
    const std::string_view word = at.word();
    if (word == "function_name") {
      function = at.peek() == '.' ? at.dotted() : at.name();
      offset(at);
    } else if (word == "inlined_at") {
      const Place outer = place(at);
      const auto known = latest_.find(outer);
      inlined_at = known != latest_.end() ? known->second : add(outer, {}, -1);
    } else {
      at.syntax_error();
    }
  }
  current_ = add(where, function, inlined_at);
}

void DebugInfo::section(Cursor& at) {
  const bool is_strings = at.dotted() == "debug_str";
  at.expect('{');
  if (!is_strings) {
    at.to_closing_brace();
    return;
  }
  while (!at.take('}')) {
    if (at.peek() == '.') {
      string_of_bytes(at);
      continue;
    }
    const std::string_view label = at.name();
    at.expect(':');
    module_.inlined_names.push_back(string_of_bytes(at));
    names_[label] = module_.inlined_names.back();
  }
}

void DebugInfo::finish() {
  for (Location& location : module_.locations) {
    const auto name = names_.find(location.function);
    location.function = name == names_.end() ? std::string_view() : name->second;
  }
}

}  // namespace kiln::emulator::ptx
