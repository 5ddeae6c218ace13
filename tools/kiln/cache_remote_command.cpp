// kiln cache remote: what each remote cache is, and what can be done with it.
#include "commands.hpp"
#include "compile/remote/remote_calls.hpp"
#include "output_file.hpp"

#include <kiln/cache.hpp>
#include <kiln/error.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

namespace kiln::tool {

namespace {

std::string remote_line(const char* title, const std::string& text) {
  return std::string("  ") + title + std::string(9 - std::char_traits<char>::length(title), ' ') + text + "\n";
}

std::string clock_text(const std::optional<std::chrono::seconds>& ahead_by) {
  if (!ahead_by) return "not known";
  const long long seconds = ahead_by->count();
  if (std::llabs(seconds) <= 1) return "as here";  // the servers tell whole seconds
  return std::to_string(std::llabs(seconds)) + " s " + (seconds > 0 ? "ahead of" : "behind") + " this machine's";
}

std::string remote_as_text(const RemoteCacheReport& remote) {
  if (!remote.fault.empty()) return remote.address + "\n" + remote_line("fault", remote.fault);
  const std::string put = remote.why_no_put.empty() ? "read and put" : "read; nothing is put: " + remote.why_no_put;
  return remote.address + "\n" + remote_line("server", remote.server) +
         remote_line("latency", std::to_string(remote.latency.count()) + " us") + remote_line("rights", put) +
         remote_line("values", remote.values ? std::to_string(*remote.values) : "not known") +
         remote_line("clock", clock_text(remote.ahead_by));
}

nlohmann::ordered_json remote_as_json(const RemoteCacheReport& remote) {
  nlohmann::ordered_json object = {{"address", remote.address}, {"usable", remote.fault.empty()}};
  if (!remote.fault.empty()) {
    object["fault"] = remote.fault;
    return object;
  }
  object["server"] = remote.server;
  object["latency_us"] = remote.latency.count();
  object["can_put"] = remote.why_no_put.empty();
  if (!remote.why_no_put.empty()) object["why_no_put"] = remote.why_no_put;
  object["values"] = remote.values ? nlohmann::ordered_json(*remote.values) : nullptr;
  object["clock_ahead_s"] = remote.ahead_by ? nlohmann::ordered_json(remote.ahead_by->count()) : nullptr;
  return object;
}

std::string signing_key_as_text(const RemoteCaches& caches) {
  const std::string& id = caches.signing_key;
  if (id.empty()) return "none";
  const bool is_public =
      std::find(caches.public_keys.begin(), caches.public_keys.end(), id) != caches.public_keys.end();
  return is_public ? id : id + " (none of the public keys: what this machine puts it does not take itself)";
}

std::string as_text(const RemoteCaches& caches) {
  std::string text;
  for (const RemoteCacheReport& remote : caches.remotes) text += remote_as_text(remote);
  std::string keys;
  for (const std::string& id : caches.public_keys) keys += (keys.empty() ? "" : ", ") + id;
  return text + "public keys  " + (keys.empty() ? "none" : keys) + "\nsigning key  " + signing_key_as_text(caches) +
         "\n";
}

std::string as_json(const RemoteCaches& caches) {
  nlohmann::ordered_json remotes = nlohmann::ordered_json::array();
  for (const RemoteCacheReport& remote : caches.remotes) remotes.push_back(remote_as_json(remote));
  const auto key = caches.signing_key.empty() ? nlohmann::ordered_json() : nlohmann::ordered_json(caches.signing_key);
  const nlohmann::ordered_json object = {
      {"remotes", std::move(remotes)}, {"public_keys", caches.public_keys}, {"signing_key", key}};
  return object.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

}  // namespace

int cache_remote_command(const std::string& remote, bool json) {
  const RemoteCaches caches = Cache().remotes(remote);
  if (caches.remotes.empty()) throw Error(no_remote_named);
  if (json)
    print_json(as_json(caches));
  else
    print(as_text(caches));
  const bool all = std::all_of(caches.remotes.begin(), caches.remotes.end(),
                               [](const RemoteCacheReport& report) { return report.fault.empty(); });
  return all ? success : failed;
}

}  // namespace kiln::tool
