#include "compile/jobs/entry_selection.hpp"

#include "base/text_parts.hpp"
#include "cache/key.hpp"

#include <algorithm>
#include <utility>

namespace kiln {

namespace {

constexpr std::size_t most_others = 5;

/// "90a" of "sm_90a".
std::string_view without_kind(std::string_view arch) { return arch.substr(arch.find('_') + 1); }

bool is_arch_meant(const EntrySelection& selection, std::string_view archs) {
  for (const std::string& arch : split(archs, ','))
    for (const std::string& wanted : selection.archs)
      if (without_kind(arch) == without_kind(wanted)) return true;
  return selection.archs.empty();
}

}  // namespace

bool has_filter(const EntrySelection& selection) noexcept {
  return !selection.names.empty() || !selection.archs.empty();
}

bool is_meant(const EntrySelection& selection, std::string_view name, std::string_view arch) {
  const auto& names = selection.names;
  return (names.empty() || std::find(names.begin(), names.end(), name) != names.end()) &&
         is_arch_meant(selection, arch);
}

bool is_request_meant(const EntrySelection& selection, std::string_view request) {
  if (!has_filter(selection)) return true;
  std::string name;
  std::string arch;
  for (const KeyField& field : key_fields(request)) {
    if (field.items.size() != 1) continue;
    if (field.label == "name") name = field.items.front().substr(field.items.front().rfind('/') + 1);
    if (field.label == "arch") arch = field.items.front();
  }
  return is_meant(selection, name, arch);
}

void add_other(std::vector<std::string>& others, std::string_view name, std::string_view arch) {
  if (others.size() == most_others) return;
  std::string text = (name.empty() ? "-" : std::string(name)) + " for " + std::string(arch);
  if (std::find(others.begin(), others.end(), text) == others.end()) others.push_back(std::move(text));
}

}  // namespace kiln
