// kiln cache remote: what each remote cache is, and what can be done with it.
#include "base/json_object.hpp"
#include "commands.hpp"
#include "compile/remote/remote_calls.hpp"
#include "output_file.hpp"
#include "table.hpp"

#include <kiln/cache.hpp>
#include <kiln/error.hpp>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

namespace kiln::tool {

namespace {

std::string remote_line(const char* title, const std::string& text) {
  return "  " + table_row({title, text}, {-9}, "");
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

std::string remote_as_json(const RemoteCacheReport& remote) {
  JsonReport object;
  object.add("address", remote.address).add("usable", remote.fault.empty());
  if (!remote.fault.empty()) return object.add("fault", remote.fault).text();
  object.add("server", remote.server).add("latency_us", remote.latency.count());
  object.add("can_put", remote.why_no_put.empty());
  if (!remote.why_no_put.empty()) object.add("why_no_put", remote.why_no_put);
  std::optional<long long> ahead_by;
  if (remote.ahead_by) ahead_by = remote.ahead_by->count();
  return object.add("values", remote.values).add("clock_ahead_s", ahead_by).text();
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
  std::vector<std::string> remotes;
  for (const RemoteCacheReport& remote : caches.remotes) remotes.push_back(remote_as_json(remote));
  std::optional<std::string> key;
  if (!caches.signing_key.empty()) key = caches.signing_key;
  JsonReport object;
  object.add_json("remotes", json_array(remotes)).add("public_keys", caches.public_keys).add("signing_key", key);
  return object.text() + "\n";
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
