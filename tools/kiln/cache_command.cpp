#include "base/json_object.hpp"
#include "base/printable_text.hpp"
#include "cache/open_stores.hpp"
#include "commands.hpp"
#include "figures.hpp"
#include "output_file.hpp"
#include "table.hpp"

#include <kiln/cache.hpp>
#include <kiln/error.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace kiln::tool {

namespace {

struct Field {
  const char* name;
  std::uint64_t CacheStats::*value;
};

/// In the order in which they are shown. Scripts know the names.
constexpr Field fields[] = {
    {"hits", &CacheStats::hits},
    {"memory_hits", &CacheStats::memory_hits},
    {"misses", &CacheStats::misses},
    {"compiles", &CacheStats::compiles},
    {"stores", &CacheStats::stores},
    {"store_failures", &CacheStats::store_failures},
    {"corrupt", &CacheStats::corrupt},
    {"waits", &CacheStats::waits},
    {"evictions", &CacheStats::evictions},
    {"refused", &CacheStats::refused},
    {"refused_time", &CacheStats::refused_time},
    {"refused_option", &CacheStats::refused_option},
    {"refused_unknown_headers", &CacheStats::refused_unknown_headers},
    {"refused_young_header", &CacheStats::refused_young_header},
    {"refused_untrusted", &CacheStats::refused_untrusted},
    {"refused_no_worker", &CacheStats::refused_no_worker},
    {"entries", &CacheStats::entries},
    {"bytes", &CacheStats::bytes},
    {"pch_made", &CacheStats::pch_made},
    {"pch_used", &CacheStats::pch_used},
    {"pch_refused", &CacheStats::pch_refused},
    {"pch_refused_text", &CacheStats::pch_refused_text},
    {"pch_refused_options", &CacheStats::pch_refused_options},
    {"pch_refused_nvrtc", &CacheStats::pch_refused_nvrtc},
    {"pch_refused_address", &CacheStats::pch_refused_address},
    {"pch_refused_changed", &CacheStats::pch_refused_changed},
    {"pch_refused_damaged", &CacheStats::pch_refused_damaged},
    {"pch_refused_small", &CacheStats::pch_refused_small},
    {"pch_files", &CacheStats::pch_files},
    {"pch_bytes", &CacheStats::pch_bytes},
    {"headers_unpacked", &CacheStats::headers_unpacked},
    {"header_folders", &CacheStats::header_folders},
    {"header_bytes", &CacheStats::header_bytes},
};

/// Name and value of each counter of a remote.
std::vector<std::pair<const char*, std::uint64_t>> counters_of(const RemoteCacheStats& remote) {
  return {{"hits", remote.hits},       {"misses", remote.misses},
          {"puts", remote.puts},       {"put_failures", remote.put_failures},
          {"refused", remote.refused}, {"faults", remote.faults},
          {"waits", remote.waits}};
}

std::string remotes_as_json(const std::vector<RemoteCacheStats>& remotes) {
  std::vector<std::string> all;
  for (const RemoteCacheStats& remote : remotes) {
    JsonReport one;
    one.add("address", remote.address);
    for (const auto& [name, value] : counters_of(remote)) one.add(name, value);
    all.push_back(one.text());
  }
  return json_array(all);
}

std::string remotes_as_text(const std::vector<RemoteCacheStats>& remotes, int width) {
  std::string text;
  for (const RemoteCacheStats& remote : remotes) {
    text += "remote " + remote.address + "\n";
    for (const auto& [name, value] : counters_of(remote))
      text += "  " + table_row({name, std::to_string(value)}, {2 - width}, "");
  }
  return text;
}

}  // namespace

void require_cache_folder() {
  const std::string path = Cache().directory().string();
  const CacheFolder& folder = open_store(path).folder();
  if (folder.state() != CacheFolder::State::absent) return;
  if (const std::string fault = folder.fault(); !fault.empty())
    throw Error("there is no cache folder " + path + ", and none can be made: " + fault +
                ". Set KILN_CACHE_DIR to another folder");
}

int cache_path_command() {
  print(Cache().directory().string() + "\n");
  return success;
}

int cache_stats_command(bool json, bool reset) {
  int width = 0;
  for (const Field& field : fields) width = std::max(width, static_cast<int>(std::strlen(field.name)) + 2);
  const Cache cache;
  const CacheStats stats = cache.stats();
  std::string text;
  for (const Field& field : fields) {
    const std::string name = field.name;
    const std::string value = std::to_string(stats.*field.value);
    if (json)
      text.append(text.empty() ? "{\"" : ", \"").append(name).append("\": ").append(value);
    else
      text += table_row({name, value}, {-width}, "");
  }
  if (json)
    print_json(text + ", \"remotes\": " + remotes_as_json(stats.remotes) + "}\n");
  else
    print(text + remotes_as_text(stats.remotes, width));
  if (reset) cache.reset_stats();  // what was not shown is not lost
  return success;
}

int cache_verify_command() {
  const CacheCheck check = Cache().verify();
  bool removed = true;
  std::string lines;
  for (const auto& path : check.damaged) {
    std::error_code ignored;
    const bool left = std::filesystem::exists(path, ignored);
    removed = removed && !left;
    lines += printable_line(path.string()) + (left ? ": cannot be removed\n" : "\n");
  }
  for (const auto& path : check.unreadable) lines += printable_line(path.string()) + ": cannot be read\n";
  for (const UntrustedFile& file : check.untrusted)
    lines += printable_line(file.path.string()) + ": is not used, because it " + file.fault + "\n";
  std::string summary = std::to_string(check.good) + " good, " + std::to_string(check.damaged.size()) + " damaged" +
                        (removed ? " (removed)" : " (not all could be removed)");
  if (!check.unreadable.empty()) summary += ", " + std::to_string(check.unreadable.size()) + " unreadable";
  if (!check.untrusted.empty()) summary += ", " + std::to_string(check.untrusted.size()) + " not trusted";
  print(lines + summary + "\n");
  return check.damaged.empty() && check.unreadable.empty() && check.untrusted.empty() ? success : failed;
}

int cache_prune_command(const std::optional<std::uint64_t>& max_bytes) {
  const Cache cache;
  const CachePruned pruned = max_bytes ? cache.prune(*max_bytes) : cache.prune();
  print("removed " + entry_count(pruned.entries) + ", " + std::to_string(pruned.freed_bytes) + " bytes, from " +
        cache.directory().string() + "; " + std::to_string(pruned.bytes_left) + " bytes are left\n");
  return success;
}

int cache_clear_command() {
  const Cache cache;
  const std::string removed = entry_count(cache.clear());
  print("removed " + removed + " from " + cache.directory().string() + "\n");
  return success;
}

int cache_export_command(const std::string& file, const ExportOptions& options) {
  const std::string written = entry_count(Cache().export_to(file, options));
  print(file + ": " + written + "\n");
  return success;
}

int cache_import_command(const std::string& file, const ImportOptions& options) {
  const Cache cache;
  const std::string added = entry_count(cache.import_from(file, options));
  print("added " + added + " to " + cache.directory().string() + "\n");
  return success;
}

namespace {

constexpr std::size_t shown_digits = 12;

/// "2026-01-31T23:59:59Z", whatever the locale.
std::string iso_time(std::chrono::system_clock::time_point time) {
  const std::time_t seconds = std::chrono::system_clock::to_time_t(time);
  std::tm parts = {};
  ::gmtime_r(&seconds, &parts);
  char text[32];
  return std::string(text, std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts));
}

/// Such a text comes from an entry, which another user may have made.
std::string shown(const std::string& text) { return text.empty() ? "-" : printable_line(text); }

std::string text_line(const CacheEntry& entry) {
  return table_row({entry.key.substr(0, shown_digits), entry.damaged ? "damaged" : shown(entry.target),
                    entry.damaged ? "-" : shown(entry.arch), std::to_string(entry.bytes), iso_time(entry.last_used),
                    shown(entry.name)},
                   {0, -7, -11, 9, 0});
}

std::string json_line(const CacheEntry& entry) {
  JsonReport object;
  object.add("key", entry.key).add("name", entry.name).add("target", entry.target).add("arch", entry.arch);
  object.add("bytes", entry.bytes).add("last_used", iso_time(entry.last_used)).add("damaged", entry.damaged);
  return object.text();
}

}  // namespace

int cache_list_command(bool json) {
  std::string text;
  const char* separator = "[";
  for (const CacheEntry& entry : Cache().entries()) {
    text += json ? separator + json_line(entry) : text_line(entry);
    separator = ",\n ";
  }
  if (json)
    print_json(text + (text.empty() ? "[]\n" : "]\n"));
  else
    print(text);
  return success;
}

}  // namespace kiln::tool
