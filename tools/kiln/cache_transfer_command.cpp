// kiln cache push, pull: entries to remote caches and from them. kiln cache keygen, sign: keys, and signed cache
// folders.
#include "base/digest.hpp"
#include "base/file_system.hpp"
#include "base/printable_text.hpp"
#include "cache/signing/keygen.hpp"
#include "commands.hpp"
#include "figures.hpp"
#include "output_file.hpp"

#include <kiln/cache.hpp>
#include <kiln/error.hpp>

#include <algorithm>
#include <cstdint>
#include <filesystem>
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

namespace {

std::string absolute_path(const std::string& path) {
  return std::filesystem::absolute(path).lexically_normal().string();
}

}  // namespace

int cache_keygen_command(const std::string& name) {
  const KeyFiles made = make_key_files(FileSystem::real(), name);
  print(made.private_file +
        ": the private key; who can read it decides what code runs where the public one is trusted\n" +
        made.public_file + ": the public key, of id " + hex_text(made.id.view()) +
        "\n\nTo sign:                    export KILN_CACHE_SIGNING_KEY=" + absolute_path(made.private_file) +
        "\nTo take what was signed:    export KILN_CACHE_PUBLIC_KEYS=" + absolute_path(made.public_file) +
        "\n(on other machines, the path of a copy of that file, or of a folder of such files)\n");
  return success;
}

int cache_sign_command(const std::string& key) {
  const Cache cache;
  const std::string signed_entries = entry_count(cache.sign(key));
  print("signed " + signed_entries + " in " + cache.directory().string() + "\n");
  return success;
}

}  // namespace kiln::tool
