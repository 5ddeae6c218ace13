// Code and requests as bytes that outlast the process.
#pragma once

#include "compile/code/code_data.hpp"
#include "compile/jobs/wire_values.hpp"
#include "compile/options/option_table.hpp"

#include <memory>
#include <string>
#include <string_view>

namespace kiln {

/// What CodeObject::serialize made. Throws Error, which begins with `what`, where the bytes are damaged or of another
/// version.
std::shared_ptr<CodeData> load_saved_code(std::string_view bytes, const std::string& what);

/// The request alone, and back. Throws likewise.
std::string save_recipe(const Recipe& recipe);
std::shared_ptr<const Recipe> load_saved_recipe(std::string_view bytes, const std::string& what);

/// All but what is this process's own: `cancel`, `timing` and the header callback, whose headers are to be among the
/// others by then. A change of it is another version of what holds such bytes: saved code, and shared requests.
std::string encode_recipe(const Recipe& recipe);
/// Null where the bytes are malformed.
std::shared_ptr<const Recipe> decode_recipe(std::string_view bytes);

/// The options alone. What is saved only where it is set stands behind all others, with its name.
template <class Rows, class Options>
void put_options(WireWriter& out, const Rows& rows, const Options& options) {
  for_each_option<saved>(rows, [&](const auto& row) { out(row.of(options)); });
  for_each_option<saved_if_set>(rows, [&](const auto& row) {
    if (is_set(row.of(options))) out(std::string_view(row.name), row.of(options));
  });
}

/// To the end of the bytes. False where a member is unknown.
template <class Rows, class Options>
bool get_options(WireReader& in, const Rows& rows, Options& options) {
  for_each_option<saved>(rows, [&](const auto& row) { in(row.of(options)); });
  while (!in.is_at_end()) {
    std::string name;
    in(name);
    bool is_known = false;
    for_each_option<saved_if_set>(rows, [&](const auto& row) {
      if (name != row.name) return;
      is_known = true;
      in(row.of(options));
    });
    if (!is_known) return false;
  }
  return in.is_whole();
}

}  // namespace kiln
