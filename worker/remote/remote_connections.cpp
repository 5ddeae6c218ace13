#include "worker/remote/remote_connections.hpp"

#include "compile/jobs/wire_values.hpp"

#include <map>
#include <memory>
#include <mutex>
#include <string>

namespace kiln {

namespace {

std::mutex connections_mutex;

/// By all that their addresses say.
std::map<std::string, std::unique_ptr<RemoteStore>>& connections() {
  static auto* const all = new std::map<std::string, std::unique_ptr<RemoteStore>>;
  return *all;
}

std::string text_of(const RemoteAddress& address) {
  WireWriter out;
  out(address);
  return out.take();
}

}  // namespace

void use_remote(const RemoteAddress& address, const std::function<void(RemoteStore&)>& use) {
  const std::lock_guard<std::mutex> lock(connections_mutex);
  const std::string text = text_of(address);
  std::unique_ptr<RemoteStore>& store = connections()[text];
  try {
    if (!store) store = open_remote(address);
    use(*store);
  } catch (...) {
    connections().erase(text);
    throw;
  }
}

std::unique_lock<std::mutex> close_remotes() {
  std::unique_lock<std::mutex> lock(connections_mutex);
  connections().clear();
  return lock;
}

}  // namespace kiln
