#include "toolkit/variable_use.hpp"

#include "toolkit/kernel_name.hpp"
#include "toolkit/ptx_variable.hpp"

#include <algorithm>
#include <charconv>
#include <unordered_set>
#include <utility>

namespace kiln {
namespace {

constexpr std::size_t most_bytes = 256;

bool has(const PtxStatement& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// Behind .entry or .func, attributes and the return value in parentheses.
std::string_view function_name(const PtxStatement& statement) {
  int depth = 0;
  bool begun = false;
  for (const std::string_view word : statement) {
    depth += word == "(" ? 1 : word == ")" ? -1 : 0;
    if (begun && depth == 0 && word.front() != '.' && word != ")") return word;
    begun = begun || word == ".entry" || word == ".func";
  }
  return {};
}

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

std::vector<std::string_view> words_in(std::string_view braces) {
  std::vector<std::string_view> all;
  for (const PtxStatement& words : scan_ptx_body(braces)) all.insert(all.end(), words.begin(), words.end());
  return all;
}

}  // namespace

VariableUse::VariableUse(std::string ptx) : ptx_(std::move(ptx)) {
  std::string_view text = ptx_;
  while (!text.empty() && text.back() == '\0') text.remove_suffix(1);
  for (const PtxStatement& statement : scan_ptx(text)) {
    if (has(statement, ".entry") || has(statement, ".func"))
      read_function(statement);
    else if (has(statement, ".global") || has(statement, ".const"))
      read_variable(statement, has(statement, ".const"));
    else if (statement.front() == ".alias" && statement.size() > 3)
      items_[statement[1]].words.push_back(statement[3]);
  }
}

void VariableUse::read_function(const PtxStatement& statement) {
  std::vector<std::string_view>& words = items_[function_name(statement)].words;
  if (statement.back().front() == '{') words = words_in(statement.back());
}

void VariableUse::read_variable(const PtxStatement& statement, bool is_constant) {
  const PtxVariable variable = read_ptx_variable(statement, 0, statement.size());
  Item& item = items_[variable.name];
  const auto assigned = std::find(statement.begin(), statement.end(), "=");
  if (assigned != statement.end()) item.words.assign(assigned + 1, statement.end());
  const std::string_view value = item.words.empty() ? std::string_view() : item.words.front();
  const std::string bytes = bytes_of(value, variable.size);
  if (bytes.empty() && !value.empty() && value.front() == '{') item.words = words_in(value);
  if (is_library_variable(variable.name)) return;
  item.variable = variables_.size();
  variables_.push_back({variable.name, is_constant, bytes});
}

std::vector<const UsedVariable*> VariableUse::of(std::string_view kernel) const {
  std::unordered_set<std::string_view> seen;
  std::vector<std::string_view> waiting = {kernel};
  std::vector<bool> used(variables_.size());
  while (!waiting.empty()) {
    const std::string_view name = waiting.back();
    waiting.pop_back();
    const auto found = items_.find(name);
    if (found == items_.end() || !seen.insert(name).second) continue;
    if (found->second.variable != none) used[found->second.variable] = true;
    waiting.insert(waiting.end(), found->second.words.begin(), found->second.words.end());
  }
  std::vector<const UsedVariable*> variables;
  for (std::size_t i = 0; i < used.size(); ++i)
    if (used[i]) variables.push_back(&variables_[i]);
  return variables;
}

}  // namespace kiln
