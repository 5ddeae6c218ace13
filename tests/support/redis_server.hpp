// A Redis server of a test's own, on this machine's loopback.
#pragma once

#include "certificate.hpp"
#include "scratch_folder.hpp"
#include "scripted_server.hpp"

#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kiln::test {

/// A socket that is connected to a port of 127.0.0.1; -1 where nobody listens.
inline int connected_to(std::uint16_t port) {
  const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in name = {};
  name.sin_family = AF_INET;
  name.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  name.sin_port = htons(port);
  if (::connect(socket, reinterpret_cast<const sockaddr*>(&name), sizeof(name)) == 0) return socket;
  ::close(socket);
  return -1;
}

/// Starts redis-server and ends it with the scope; it ends with the thread that started it, too. Its folder and ports
/// are its own, nothing is saved, and a connection of the test's is kept open to count what others do.
class RedisServer {
 public:
  /// The program's path; empty where it is not installed.
  static std::filesystem::path program() {
    const char* const folders = std::getenv("PATH");
    std::string_view rest = folders != nullptr ? folders : "";
    while (!rest.empty()) {
      const std::filesystem::path file = std::filesystem::path(rest.substr(0, rest.find(':'))) / "redis-server";
      if (::access(file.c_str(), X_OK) == 0) return file;
      rest.remove_prefix(std::min(rest.size(), rest.find(':')));
      if (!rest.empty()) rest.remove_prefix(1);
    }
    return {};
  }
  static bool is_missing() { return program().empty(); }

  struct Settings {
    std::string password = {};
    std::vector<std::string> more = {};  // {"--maxmemory", "1mb"}
    bool has_tls = false;                // at tls_port(), too, with certificate() for 127.0.0.1
  };

  RedisServer() : RedisServer(Settings()) {}
  explicit RedisServer(Settings settings) : settings_(std::move(settings)) {
    if (settings_.has_tls) certificate_.emplace(folder_.path());
    // Another program may take a port before the server does: then it ends, and there is another one.
    for (int attempt = 0; attempt < 10 && control_ < 0; ++attempt) {
      start();
      if (wait_until_ready()) control_ = connected_to(port_);
      if (control_ < 0) stop();
    }
    if (control_ < 0) throw std::runtime_error("redis-server does not start: " + said_);
    if (!settings_.password.empty()) command({"AUTH", settings_.password});
  }
  ~RedisServer() { stop(); }
  RedisServer(const RedisServer&) = delete;
  RedisServer& operator=(const RedisServer&) = delete;

  std::uint16_t port() const noexcept { return port_; }
  std::uint16_t tls_port() const noexcept { return tls_port_; }
  std::filesystem::path socket() const { return folder_ / "socket"; }
  std::filesystem::path certificate() const { return certificate_->certificate; }
  std::string address() const { return "redis://127.0.0.1:" + std::to_string(port_); }

  /// Its answer to a command: the text of a value or a status, "" where there is none.
  std::string command(const std::vector<std::string>& words);
  /// A number of INFO, such as "blocked_clients"; 0 where it is not listed.
  std::uint64_t info(const std::string& name) { return number_behind("\n" + name + ":"); }
  /// How many connections others have made so far.
  std::uint64_t connections() { return info("total_connections_received") - 1; }
  /// How often a command was called, "mget".
  std::uint64_t calls(const std::string& name) { return number_behind("cmdstat_" + name + ":calls="); }

  /// Has every thread of it stand still, as a server does that hangs, or go on.
  void pause() { ::kill(process_, SIGSTOP); }
  void resume() { ::kill(process_, SIGCONT); }
  /// Ends it at once.
  void stop() {
    if (control_ >= 0) ::close(std::exchange(control_, -1));
    if (output_ >= 0) ::close(std::exchange(output_, -1));
    if (process_ <= 0) return;
    ::kill(process_, SIGKILL);
    while (::waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {
    }
    process_ = 0;
  }

 private:
  std::vector<std::string> arguments();
  void start();
  bool wait_until_ready();
  std::uint64_t number_behind(const std::string& text) {
    const std::string all = command({"INFO", "all"});
    const std::size_t found = all.find(text);
    return found == std::string::npos ? 0 : std::strtoull(all.c_str() + found + text.size(), nullptr, 10);
  }

  Settings settings_;
  ScratchFolder folder_;
  std::optional<Certificate> certificate_;
  pid_t process_ = 0;
  int output_ = -1;
  int control_ = -1;
  std::uint16_t port_ = 0;
  std::uint16_t tls_port_ = 0;
  std::string said_ = {};
};

inline std::vector<std::string> RedisServer::arguments() {
  port_ = bound_socket(false).second;
  std::vector<std::string> words = {program().string(), "--bind", "127.0.0.1", "--port", std::to_string(port_)};
  const auto add = [&](const std::vector<std::string>& more) { words.insert(words.end(), more.begin(), more.end()); };
  add({"--dir", folder_.path().string(), "--unixsocket", socket().string(), "--save", "", "--appendonly", "no"});
  add({"--daemonize", "no", "--logfile", "", "--loglevel", "notice"});
  if (!settings_.password.empty()) add({"--requirepass", settings_.password});
  if (settings_.has_tls) {
    tls_port_ = bound_socket(false).second;
    add({"--tls-port", std::to_string(tls_port_), "--tls-auth-clients", "no"});
    add({"--tls-cert-file", certificate().string(), "--tls-key-file", certificate_->key.string()});
  }
  add(settings_.more);
  return words;
}

inline void RedisServer::start() {
  std::vector<std::string> words = arguments();
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("there is no pipe");
  process_ = ::fork();
  if (process_ == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    ::dup2(ends[1], STDOUT_FILENO);
    ::dup2(ends[1], STDERR_FILENO);
    ::execv(pointers[0], pointers.data());
    ::_exit(127);
  }
  ::close(ends[1]);
  output_ = ends[0];
}

/// False where it ended instead.
inline bool RedisServer::wait_until_ready() {
  said_.clear();
  char bytes[1024];
  for (ssize_t count; (count = ::read(output_, bytes, sizeof(bytes))) != 0;) {
    if (count < 0 && errno != EINTR) return false;
    if (count > 0) said_.append(bytes, static_cast<std::size_t>(count));
    if (said_.find("eady to accept connections") != std::string::npos) return true;  // however it goes on
  }
  return false;
}

inline std::string RedisServer::command(const std::vector<std::string>& words) {
  std::string text = "*" + std::to_string(words.size()) + "\r\n";
  for (const std::string& word : words) text += "$" + std::to_string(word.size()) + "\r\n" + word + "\r\n";
  if (::send(control_, text.data(), text.size(), MSG_NOSIGNAL) != static_cast<ssize_t>(text.size()))
    throw std::runtime_error("redis-server is gone");
  std::string answer;
  std::size_t wanted = 1;  // with the line's end
  std::size_t line = std::string::npos;
  while (line == std::string::npos || answer.size() < wanted) {
    char bytes[4096];
    const ssize_t count = ::recv(control_, bytes, sizeof(bytes), 0);
    if (count <= 0) throw std::runtime_error("redis-server is gone");
    answer.append(bytes, static_cast<std::size_t>(count));
    line = answer.find("\r\n");
    const long long size = answer.front() == '$' ? std::strtoll(answer.c_str() + 1, nullptr, 10) : -1;
    if (line != std::string::npos) wanted = line + 2 + (size >= 0 ? static_cast<std::size_t>(size) + 2 : 0);
  }
  if (answer.front() == '-') throw std::runtime_error("redis-server: " + answer);
  if (answer.front() != '$') return answer.substr(1, line - 1);
  return wanted == line + 2 ? std::string() : answer.substr(line + 2, wanted - line - 4);
}

}  // namespace kiln::test
