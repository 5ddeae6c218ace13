// A remote cache that is files of an HTTP server: GET, PUT and DELETE, as WebDAV servers and object stores know them.
#include "worker/remote/http_connection.hpp"
#include "worker/remote/remote_fault.hpp"
#include "worker/remote/remote_store.hpp"

#include "base/log.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace kiln {
namespace {

using Method = HttpRequest::Method;

const char* method_word(Method method) {
  return method == Method::get ? "GET" : method == Method::put ? "PUT" : "DELETE";
}

bool is_kept(long status) { return status == 200 || status == 201 || status == 204; }
/// Object stores say 403, not 404, to those who may not list what is there.
bool is_absent(long status) { return status == 404 || status == 410 || status == 403; }

std::string advice_for(Method method, long status) {
  if (status / 100 == 3) return ": redirects are not followed; name the address that it leads to";
  if (status == 401) return ": user:password@ in front of the host, or @bearer-token-file=, is lacking or is refused";
  if (status == 407) return ": the proxy wants a user and a password";
  if (method != Method::put) return "";
  if (status == 403) return ": Kiln may not write there; read-only behind the address says that it need not";
  if (status == 405) return ": it takes no files; nginx needs dav_methods PUT DELETE";
  if (status == 409) return ": the folder is not there";
  if (status == 500) return ": nginx says so where the folder is not there and create_full_put_path is off";
  if (status == 413) return ": larger than it takes; nginx has client_max_body_size for that";
  return "";
}

/// A prefix is a person's: all but slashes and what needs no escape.
std::string percent_encoded(std::string_view text) {
  constexpr std::string_view plain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/";
  constexpr std::string_view digits = "0123456789ABCDEF";
  std::string encoded;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (plain.find(c) != std::string_view::npos) {
      encoded += c;
    } else {
      encoded.append({'%', digits[byte >> 4U], digits[byte & 15U]});
    }
  }
  return encoded;
}

class HttpStore : public RemoteStore {
 public:
  explicit HttpStore(const RemoteAddress& address) : address_(address), connection_(address) {}

  std::vector<std::optional<std::string>> get(const std::vector<std::string>& names,
                                              Clock::time_point deadline) override {
    std::vector<HttpRequest> requests;
    requests.reserve(names.size());
    for (const std::string& name : names) requests.push_back({Method::get, path_of(name)});
    std::vector<std::optional<std::string>> values;
    for (HttpAnswer& answer : connection_.ask(requests, deadline)) {
      if (answer.status != 200 && !is_absent(answer.status)) refused(Method::get, answer.status);
      const bool has_value = answer.status == 200 && !answer.is_too_large;
      values.push_back(has_value ? std::optional(std::move(answer.body)) : std::nullopt);
    }
    return values;
  }

  void put(const std::vector<std::pair<std::string, std::string>>& values, Clock::time_point deadline) override {
    for (const auto& [name, value] : values) {
      if (value.size() > most_bytes) continue;
      const HttpAnswer answer = ask({Method::put, path_of(name), value}, deadline);
      if (!is_kept(answer.status)) refused(Method::put, answer.status);
    }
  }

  RemoteReport report(Clock::time_point deadline) override {
    const HttpRequest look_up{Method::get, path_of(trial_name)};
    ask(look_up, deadline);  // connects
    std::array<Clock::duration, 5> times;
    HttpAnswer last;
    for (Clock::duration& time : times) {
      const Clock::time_point start = Clock::now();
      last = ask(look_up, deadline);
      time = Clock::now() - start;
    }
    if (last.status != 200 && !is_absent(last.status)) refused(Method::get, last.status);
    std::nth_element(times.begin(), times.begin() + times.size() / 2, times.end());

    RemoteReport report;
    report.server = last.server.empty() ? "a server that does not say which" : last.server;
    report.latency = std::chrono::duration_cast<std::chrono::microseconds>(times[times.size() / 2]);
    report.ahead_by = last.ahead_by;
    if (!address_.read_only) report.write_fault = fault_in([&] { try_to_write(deadline); });
    return report;
  }

  std::optional<std::vector<std::string>> list(Clock::time_point /*deadline*/) override { return std::nullopt; }

  std::vector<RemoteFront> fronts(const std::vector<std::string>& names, std::size_t bytes,
                                  Clock::time_point deadline) override {
    std::vector<HttpRequest> requests;
    requests.reserve(names.size());
    for (const std::string& name : names)
      requests.push_back({Method::get, path_of(name), {}, std::max<std::size_t>(bytes, 1)});
    std::vector<RemoteFront> fronts;
    for (HttpAnswer& answer : connection_.ask(requests, deadline)) {
      const bool has_value = answer.status == 200 || answer.status == 206;
      // 416: it is empty.
      if (!has_value && answer.status != 416 && !is_absent(answer.status)) refused(Method::get, answer.status);
      RemoteFront& front = fronts.emplace_back();
      if (has_value) front = {answer.body.size(), answer.body.substr(0, bytes)};
    }
    return fronts;
  }

 private:
  static constexpr const char* trial_name = "trial";

  std::string path_of(const std::string& name) const {
    const bool in_folders = address_.layout == RemoteAddress::Layout::subdirs && name.size() > 2;
    const std::string prefix = address_.key_prefix.empty() ? "" : "/" + percent_encoded(address_.key_prefix);
    return prefix + "/" + (in_folders ? name.substr(0, 2) + "/" + name.substr(2) : name);
  }

  HttpAnswer ask(const HttpRequest& request, Clock::time_point deadline) {
    return std::move(connection_.ask({request}, deadline).front());
  }

  /// Where it may not be removed, the next trial replaces it.
  void try_to_write(Clock::time_point deadline) {
    const std::string value = "kiln";
    const HttpAnswer answer = ask({Method::put, path_of(trial_name), value}, deadline);
    if (!is_kept(answer.status)) refused(Method::put, answer.status);
    const HttpAnswer kept = ask({Method::get, path_of(trial_name)}, deadline);
    if (kept.status != 200 || kept.body != value) throw_remote_fault(address_, forgets_trial);
    ask({Method::remove, path_of(trial_name)}, deadline);
  }

  [[noreturn]] void refused(Method method, long status) {
    connection_.close();
    throw_remote_fault(address_,
                       "answers " + std::to_string(status) + " to " + method_word(method) + advice_for(method, status));
  }

  RemoteAddress address_;
  HttpConnection connection_;
};

}  // namespace

std::unique_ptr<RemoteStore> open_http(const RemoteAddress& address) try {
  if (address.ttl.count() != 0)
    log_message(LogLevel::info, address.shown() + ": @ttl= says nothing to an HTTP server, which keeps what it has");
  return std::make_unique<HttpStore>(address);
} catch (const RemoteFault& fault) {  // there is no libcurl
  throw_remote_fault(address, fault.what());
}

}  // namespace kiln
