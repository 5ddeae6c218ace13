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

  /// Each reads what follows its directive.
  void file(Cursor& at);
  void location(Cursor& at);
  void section(Cursor& at);
  /// Index in Module::locations of the next instruction's location; -1 before the first .loc.
  std::int32_t current() const { return current_; }
  void leave_function() { current_ = -1; }
  /// Replaces labels of names by the names. Called at the end, because the debug sections come last in a text.
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
  // The latest location of each place: a later inlined_at refers to it.
  std::unordered_map<Place, std::int32_t, HashOfPlace> latest_;
  std::map<std::string_view, std::string_view> names_;
};

}  // namespace kiln::emulator::ptx
