// kiln cache push, kiln cache pull: entries to remote caches and from them.
#include "base/printable_text.hpp"
#include "commands.hpp"
#include "output_file.hpp"

#include <kiln/cache.hpp>
#include <kiln/error.hpp>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace kiln::tool {

namespace {

constexpr std::size_t most_shown = 5;

/// Shown where there are some.
std::string also(const char* what, std::uint64_t count) {
  return count == 0 ? "" : std::string(", ") + what + " " + std::to_string(count);
}

/// A choice that chooses nothing is a mistake, most often in a name.
void refuse_empty_choice(const std::vector<CacheTransfer>& all, const std::string& folder) {
  std::vector<std::string> others;
  std::string places;
  for (const CacheTransfer& one : all) {
    if (!one.left_out.empty()) continue;
    if (!one.nothing_meant) return;
    others.insert(others.end(), one.others.begin(), one.others.end());
    places += (places.empty() ? "" : ", ") + one.address;
  }
  const std::string beginning =
      "nothing in " + (folder.empty() ? places : folder) + " has such a name and architecture";
  if (others.empty()) throw Error(beginning + ": there is no code at all");
  std::string text;
  for (std::size_t i = 0; i < std::min(others.size(), most_shown); ++i)
    text += (i == 0 ? "" : ", ") + printable_line(others[i]);
  throw Error(beginning + "; some that there are: " + text);
}

int show(const std::vector<CacheTransfer>& all, const char* moved) {
  bool are_good = true;
  for (const CacheTransfer& one : all) {
    std::string text = one.left_out;
    if (text.empty())
      text = std::string(moved) + " " + std::to_string(one.moved) + ", already there " +
             std::to_string(one.already_there) + ", too large " + std::to_string(one.too_large) +
             also("refused", one.refused) + also("damaged", one.damaged) + also("without a manifest", one.unfindable);
    print(one.address + ": " + text + "\n");
    are_good = are_good && one.refused == 0 && one.damaged == 0;
  }
  return are_good ? success : failed;
}

}  // namespace

int cache_push_command(const TransferOptions& options) {
  const Cache cache;
  const std::vector<CacheTransfer> all = cache.push(options);
  refuse_empty_choice(all, cache.directory().string());
  return show(all, "pushed");
}

int cache_pull_command(const TransferOptions& options) {
  const std::vector<CacheTransfer> all = Cache().pull(options);
  refuse_empty_choice(all, "");
  return show(all, "pulled");
}

}  // namespace kiln::tool
