// kiln cache list: one line an entry.
#include "base/json_object.hpp"
#include "base/printable_text.hpp"
#include "commands.hpp"
#include "output_file.hpp"
#include "table.hpp"

#include <kiln/cache.hpp>

#include <chrono>
#include <ctime>
#include <string>

namespace kiln::tool {

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
