// Where instructions come from: .file, .loc and the names that the debug sections hold.
#pragma once

#include "emulator/ptx/cursor.hpp"
#include "emulator/ptx/module.hpp"
#include "emulator/ptx/name_table.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>

namespace kiln::emulator::ptx {

class DebugInfo {
 public:
  explicit DebugInfo(Module& module) : module_(module) {}

  /// Each behind its directive.
  void file(Cursor& at);
  void location(Cursor& at);
  void section(Cursor& at);
  /// Of the next instruction, in Module::locations; -1 before the first.
  std::int32_t current() const { return current_; }
  void leave_function() { current_ = -1; }
  /// Labels of names become the names: sections stand at the end of a text.
  void finish();

 private:
  struct Place {
    std::uint32_t file, line, column;
    bool operator==(const Place& other) const = default;
  };
  struct HashOfPlace {
    std::size_t operator()(const Place& place) const {
      return (place.file * std::size_t{0x9E3779B1} + place.line) * std::size_t{0x9E3779B1} + place.column;
    }
  };
  static Place place(Cursor& at);
  std::int32_t add(const Place& place, std::string_view function, std::int32_t inlined_at);

  Module& module_;
  std::int32_t current_ = -1;
  // The last location of each place: the one that a later inlined_at means.
  std::unordered_map<Place, std::int32_t, HashOfPlace> latest_;
  std::map<std::string_view, std::string_view> names_;
};

}  // namespace kiln::emulator::ptx
