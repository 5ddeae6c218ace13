// nginx, for tests: files of a folder, to be read and written over HTTP.
#pragma once

#include "certificate.hpp"
#include "scratch_folder.hpp"
#include "scripted_server.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace kiln::test {

struct NginxOptions {
  bool tls = false;
  bool http_2 = false;
  std::string login = {};                                                    // "user:password"
  std::string writing = "dav_methods PUT DELETE; create_full_put_path on;";  // directives
  std::string more = {};                                                     // directives of the server
};

/// Has a port of 127.0.0.1 of its own, and ends with this object, or with the thread that made it.
class NginxServer {
 public:
  static bool is_installed() { return !program().empty(); }

  explicit NginxServer(const NginxOptions& options = {}) : options_(options) {
    auto [socket, port] = bound_socket(true);
    port_ = port;
    std::filesystem::create_directories(files());
    if (options.tls) certificate_.emplace(folder_.path());
    if (!options.login.empty()) {
      const std::size_t colon = options.login.find(':');
      folder_.write("users", options.login.substr(0, colon) + ":{PLAIN}" + options.login.substr(colon + 1) + "\n");
    }
    folder_.write("nginx.conf", configuration());
    start(socket.get());
  }
  ~NginxServer() { stop(); }
  NginxServer(const NginxServer&) = delete;
  NginxServer& operator=(const NginxServer&) = delete;

  /// http://127.0.0.1:port
  std::string url() const { return (options_.tls ? "https://" : "http://") + host(); }
  std::string host() const { return "127.0.0.1:" + std::to_string(port_); }
  std::uint16_t port() const noexcept { return port_; }
  /// What it serves.
  std::filesystem::path files() const { return folder_ / "files"; }
  std::filesystem::path certificate() const { return certificate_->certificate; }

  struct Request {
    int connection;  // their number
    std::string method;
    std::string path;
    int status;
  };
  /// Ends the server. All that it was asked, in the order of the answers.
  std::vector<Request> stop() {
    if (process_ > 0) {
      ::kill(process_, SIGTERM);
      while (::waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {
      }
      process_ = -1;
    }
    std::vector<Request> requests;
    std::ifstream lines(folder_ / "access.log");
    for (Request request; lines >> request.connection >> request.method >> request.path >> request.status;)
      requests.push_back(request);
    return requests;
  }

 private:
  static std::string program() {
    for (const char* const place : {"/usr/sbin/nginx", "/usr/local/sbin/nginx", "/usr/bin/nginx"})
      if (::access(place, X_OK) == 0) return place;
    return "";
  }

  std::string configuration() const {
    const auto quoted = [this](const char* name) { return "\"" + (folder_ / name).string() + "\""; };
    std::ostringstream text;
    // Its worker would be another user, who may not read here.
    if (::geteuid() == 0) text << "user root; ";
    text << "daemon off; worker_processes 1;\n"
         << "pid " << quoted("pid") << "; error_log " << quoted("error.log") << ";\n"
         << "events { worker_connections 4096; }\n"
         << "http {\n"
         << "  log_format requests '$connection $request_method $uri $status';\n"
         << "  access_log " << quoted("access.log") << " requests;\n";
    for (const char* const kind : {"client_body", "proxy", "fastcgi", "uwsgi", "scgi"})
      text << "  " << kind << "_temp_path " << quoted(kind) << ";\n";
    text << "  server {\n"
         << "    listen " << host() << (options_.tls ? " ssl" : "") << (options_.http_2 ? " http2" : "") << ";\n";
    if (options_.tls)
      text << "    ssl_certificate " << quoted("certificate.pem") << "; ssl_certificate_key " << quoted("key.pem")
           << ";\n";
    if (!options_.login.empty()) text << "    auth_basic kiln; auth_basic_user_file " << quoted("users") << ";\n";
    text << "    root " << quoted("files") << "; client_max_body_size 100m; keepalive_requests 100000;\n"
         << "    location / { " << options_.writing << " }\n"
         << "    " << options_.more << "\n  }\n}\n";
    return text.str();
  }

  /// It takes the listening socket over, as from an older nginx: so the port is its own from the beginning, and nobody
  /// needs to wait until it is up.
  void start(int socket) {
    const std::string path = program();
    const std::string file = (folder_ / "nginx.conf").string();
    const std::string prefix = folder_.path().string();
    const std::string errors = (folder_ / "error.log").string();
    const int inherited = 3;
    std::string sockets = "NGINX=3;";
    std::array<char*, 2> environment = {sockets.data(), nullptr};
    process_ = ::fork();
    if (process_ < 0) throw std::runtime_error("fork");
    if (process_ > 0) return;
    ::prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (socket == inherited ? ::fcntl(socket, F_SETFD, 0) < 0 : ::dup2(socket, inherited) < 0) ::_exit(127);
    ::execle(path.c_str(), path.c_str(), "-p", prefix.c_str(), "-e", errors.c_str(), "-c", file.c_str(), nullptr,
             environment.data());
    ::_exit(127);
  }

  NginxOptions options_;
  ScratchFolder folder_;
  std::optional<Certificate> certificate_;
  std::uint16_t port_ = 0;
  pid_t process_ = -1;
};

}  // namespace kiln::test
