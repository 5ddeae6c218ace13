#include "base/similar_name.hpp"

#include <algorithm>
#include <cstddef>

namespace kiln {

namespace {

constexpr std::size_t longest = 256;  // of a word that a person may have mistyped

char to_lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

/// Optimal string alignment distance.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    std::swap(before, last);
    std::swap(last, row);
  }
  return last[b.size()];
}

bool differs_by_case(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) { return to_lower(x) == to_lower(y); });
}

}  // namespace

std::string similar_name(std::string_view wanted, const std::vector<std::string>& candidates) {
  if (wanted.size() > longest) return {};
  std::string nearest;
  std::size_t least = wanted.size() == 3 ? 2 : (wanted.size() + 2) / 3;
  for (const std::string& candidate : candidates) {
    if (candidate.size() > longest) continue;
    const std::size_t changes = distance(wanted, candidate);
    if (changes >= least && !(changes == 0)) continue;
    least = changes;
    nearest = candidate;
  }
  if (!nearest.empty()) return nearest;
  for (const std::string& candidate : candidates)
    if (differs_by_case(wanted, candidate)) return candidate;
  return {};
}

}  // namespace kiln
