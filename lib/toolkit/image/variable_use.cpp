#include "toolkit/image/variable_use.hpp"

#include "toolkit/image/ptx_entry.hpp"
#include "toolkit/image/ptx_scan.hpp"
#include "toolkit/image/ptx_variable.hpp"
#include "toolkit/names/kernel_name.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <map>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

namespace kiln {

namespace {

using Addresses = std::unordered_set<std::string_view>;

constexpr std::array<std::string_view, 8> arithmetic = {"mov.", "cvta.", "cvt.",  "add.",
                                                        "sub.", "mad.",  "selp.", "and."};

bool is_load(std::string_view opcode) { return opcode.starts_with("ld.") || opcode.starts_with("ldu."); }

bool is_arithmetic(std::string_view opcode) {
  return std::any_of(arithmetic.begin(), arithmetic.end(),
                     [&](std::string_view begin) { return opcode.starts_with(begin); });
}

/// After labels and the predicate that guards the instruction.
std::size_t opcode_place(const PtxStatement& words) {
  const auto begins = [](std::string_view word) { return word.front() != '$' && word.front() != '%'; };
  return static_cast<std::size_t>(std::find_if(words.begin(), words.end(), begins) - words.begin());
}

/// Adds registers that the statements give an address; false where one is used otherwise than to load.
bool follow(const std::vector<PtxStatement>& body, Addresses& addresses) {
  std::string_view last_opcode;
  for (const PtxStatement& words : body) {
    const std::size_t place = opcode_place(words);
    // Braces of vectors end statements: "ld.v2.f32", "%f1, %f2", ", [%rd1]".
    const bool is_rest = place == words.size() || words[place] == ",";
    if (!is_rest) last_opcode = words[place];
    const bool has_address =
        std::any_of(words.begin(), words.end(), [&](std::string_view word) { return addresses.count(word) != 0; });
    if (!has_address || (is_load(last_opcode) && (!is_rest || words.front() == ","))) continue;
    if (is_rest) return false;
    if (last_opcode.starts_with("setp.")) continue;
    const bool has_result = place + 2 < words.size() && words[place + 1].front() == '%' && words[place + 2] == ",";
    if (!is_arithmetic(last_opcode) || !has_result) return false;
    addresses.insert(words[place + 1]);
  }
  return true;
}

// What a PTX function does with a variable's address.

/// Whether the statements of a body at most load from the variable: its address goes through arithmetic into loads, and
/// nowhere else. False also where that cannot be seen.
bool only_reads(const std::vector<PtxStatement>& body, std::string_view variable) {
  Addresses addresses = {variable};
  for (std::size_t before = 0; before != addresses.size();) {
    before = addresses.size();
    if (!follow(body, addresses)) return false;
  }
  return true;
}

constexpr std::size_t most_bytes = 256;

// "{1, 0, 2}" as bytes, with zeros to the variable's size; empty for anything else.
std::string bytes_of(std::string_view value, std::size_t size) {
  if (value.empty() || value.front() != '{' || size > most_bytes) return {};
  std::string bytes;
  for (const PtxStatement& words : scan_ptx_body(value))
    for (const std::string_view word : words) {
      if (word == ",") continue;
      unsigned char byte = 0;
      const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), byte);
      if (error != std::errc() || end != word.data() + word.size()) return {};
      bytes += static_cast<char>(byte);
    }
  if (bytes.size() > size) return {};
  bytes.resize(size);
  return bytes;
}

}  // namespace

VariableUse::VariableUse(std::string ptx) : ptx_(std::move(ptx)) {
  for (const PtxStatement& statement : scan_ptx(without_end(ptx_))) {
    if (is_ptx_entry(statement) || has_word(statement, ".func"))
      read_function(statement);
    else if (has_word(statement, ".global") || has_word(statement, ".const"))
      read_variable(statement, has_word(statement, ".const"));
    else if (statement.front() == ".alias" && statement.size() > 3)
      items_[statement[1]].statements.push_back({statement[3]});
  }
}

void VariableUse::read_function(const PtxStatement& statement) {
  Item& item = items_[ptx_function_name(statement)];
  if (statement.back().front() == '{') item.statements = scan_ptx_body(statement.back());
  item.is_function = true;
}

void VariableUse::read_variable(const PtxStatement& statement, bool is_constant) {
  const PtxVariable variable = read_ptx_variable(statement, 0, statement.size());
  Item& item = items_[variable.name];
  const auto assigned = std::find(statement.begin(), statement.end(), "=");
  const bool has_value = assigned != statement.end() && assigned + 1 != statement.end();
  const std::string_view value = has_value ? *(assigned + 1) : std::string_view();
  const std::string bytes = bytes_of(value, variable.size);
  if (bytes.empty() && has_value)
    item.statements = value.front() == '{' ? scan_ptx_body(value) : Statements{{assigned + 1, statement.end()}};
  if (is_library_variable(variable.name)) return;
  item.variable = variables_.size();
  variables_.push_back({variable.name, is_constant, bytes});
}

std::vector<VariableUse::Use> VariableUse::of(std::string_view kernel) const {
  std::unordered_set<std::string_view> seen;
  std::vector<std::string_view> waiting = {kernel};
  std::map<std::size_t, bool> uses;  // by its place whether it is only read
  while (!waiting.empty()) {
    const auto user = items_.find(waiting.back());
    waiting.pop_back();
    if (user == items_.end() || !seen.insert(user->first).second) continue;
    if (user->second.variable != none) uses.emplace(user->second.variable, true);
    for (const std::string_view name : names_in(user->second)) {
      const auto used = items_.find(name);
      waiting.push_back(name);
      if (used->second.variable == none) continue;
      // An address in an initial value may be loaded, and written through.
      const bool is_read = user->second.is_function && only_reads(user->second.statements, name);
      bool& is_only_read = uses.emplace(used->second.variable, true).first->second;
      is_only_read = is_only_read && is_read;
    }
  }
  std::vector<Use> result;
  for (const auto& [place, is_only_read] : uses)
    result.push_back({&variables_[place], !is_only_read && !variables_[place].is_constant});
  return result;
}

/// Of functions and variables of the text, each once.
std::set<std::string_view> VariableUse::names_in(const Item& item) const {
  std::set<std::string_view> names;
  for (const PtxStatement& words : item.statements)
    for (const std::string_view word : words)
      if (items_.count(word) != 0) names.insert(word);
  return names;
}

}  // namespace kiln
