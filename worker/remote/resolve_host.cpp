#include "worker/remote/resolve_host.hpp"

#include "base/signal_masked_thread.hpp"
#include "worker/dependencies/file_recording.hpp"

#include <kiln/error.hpp>

#include <netdb.h>

#include <condition_variable>
#include <cstring>
#include <memory>
#include <mutex>
#include <system_error>

namespace kiln {

namespace {

struct Resolved {
  std::vector<SocketAddress> addresses;
  std::string fault = {};
};

Resolved ask_resolver(const std::string& host, std::uint16_t port, int flags) {
  addrinfo hints = {};
  hints.ai_family = AF_UNSPEC;
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = flags | AI_NUMERICSERV;
  addrinfo* found = nullptr;
  const int error = ::getaddrinfo(host.c_str(), std::to_string(port).c_str(), &hints, &found);
  if (error != 0)
    return {{}, error == EAI_SYSTEM ? std::system_category().message(errno) : std::string(::gai_strerror(error))};
  const std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> owner(found, &::freeaddrinfo);
  Resolved resolved;
  for (const addrinfo* one = found; one != nullptr; one = one->ai_next) {
    SocketAddress& address = resolved.addresses.emplace_back();
    address.size = one->ai_addrlen;
    std::memcpy(&address.bytes, one->ai_addr, one->ai_addrlen);
  }
  return resolved;
}

/// Shared with a thread that may outlive the request.
struct Question {
  std::mutex mutex;
  std::condition_variable answered;
  bool is_answered = false;
  Resolved answer;
};

}  // namespace

std::vector<SocketAddress> resolve_host(const std::string& host, std::uint16_t port,
                                        std::chrono::steady_clock::time_point deadline) {
  Resolved numeric = ask_resolver(host, port, AI_NUMERICHOST);
  if (numeric.fault.empty()) return numeric.addresses;

  const auto question = std::make_shared<Question>();
  start_signal_masked_thread([question, host, port] {
    FileRecording::leave_out_this_thread();  // it may still ask when a compiler works
    Resolved answer = ask_resolver(host, port, AI_ADDRCONFIG);
    const std::lock_guard lock(question->mutex);
    question->answer = std::move(answer);
    question->is_answered = true;
    question->answered.notify_one();
  }).detach();
  std::unique_lock lock(question->mutex);
  if (!question->answered.wait_until(lock, deadline, [&] { return question->is_answered; }))
    throw Error("the address of the host was not found in time");
  if (!question->answer.fault.empty())
    throw Error("the address of the host was not found (" + question->answer.fault + ")");
  return question->answer.addresses;
}

}  // namespace kiln
