#include "worker/nvcc/process_runner.hpp"

#include "base/file_system.hpp"

#include <kiln/error.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include <boost/asio/basic_readable_pipe.hpp>
#include <boost/asio/basic_waitable_timer.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/process/v2/environment.hpp>
#include <boost/process/v2/process.hpp>
#include <boost/process/v2/start_dir.hpp>
#include <boost/process/v2/stdio.hpp>
#include <boost/version.hpp>
#if BOOST_VERSION < 108600  // from which on it is a library: what 1.81's header forgets
#include <boost/process/v2/impl/environment.ipp>
#endif

#include <fcntl.h>
#include <linux/close_range.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace kiln {
namespace {

namespace asio = boost::asio;
namespace v2 = boost::process::v2;
using Clock = std::chrono::steady_clock;
// The default executor, any_io_executor, would double the code.
using Executor = asio::io_context::executor_type;
using Pipe = asio::basic_readable_pipe<Executor>;
using Timer = asio::basic_waitable_timer<Clock, asio::wait_traits<Clock>, Executor>;
using Failure = boost::system::error_code;

// For what a program that ended left running to end, too, before it is killed; and then for its streams to close.
constexpr std::chrono::milliseconds group_exit_delay{200};
constexpr std::chrono::milliseconds drain_timeout{200};
// Where the kernel has no descriptor for the end of a child.
constexpr std::chrono::milliseconds poll_interval{10};

[[noreturn]] void throw_not_started(const std::string& program, const std::string& reason) {
  throw Error("cannot start " + program + ": " + reason);
}

/// Of a program's streams.
class Stream {
 public:
  Stream(asio::io_context& context, std::size_t most) : pipe(context), most_(most) {}

  /// Reads to the end; what is beyond the limit is read, for the program to go on, and dropped.
  template <class AtEnd>
  void read(AtEnd at_end) {
    pipe.async_read_some(asio::buffer(buffer_), [this, at_end](const Failure& failure, std::size_t size) {
      const std::size_t kept = std::min(size, most_ - text.size());
      text.append(buffer_.data(), kept);
      truncated = truncated || kept < size;
      if (!failure) return read(at_end);
      is_at_end = true;
      at_end();
    });
  }

  Pipe pipe;
  std::string text;
  bool truncated = false;
  bool is_at_end = false;

 private:
  std::size_t most_;
  std::array<char, std::size_t{1} << 15> buffer_;
};

/// Descriptors after the standard ones are this process's own.
void keep_descriptors() {
  if (::close_range(STDERR_FILENO + 1, ~0U, CLOSE_RANGE_CLOEXEC) == 0) return;
  std::vector<std::string> numbers;  // before Linux 5.11
  FileSystem::real().list("/proc/self/fd", numbers);
  for (const std::string& number : numbers)
    if (number.size() > 1 || number > "2") ::fcntl(std::stoi(number), F_SETFD, FD_CLOEXEC);
}

/// What a program gets beyond streams, variables and folder. The launcher calls each such object.
class ChildSetup {
 public:
  /// Before the fork. The launcher's own closing leaves out what is below its pipe.
  template <class Launcher, class Words>
  Failure on_setup(Launcher&, const v2::filesystem::path&, const Words&) {
    keep_descriptors();
    return {};
  }
  /// In the child.
  template <class Launcher, class Words>
  Failure on_exec_setup(Launcher&, const v2::filesystem::path&, const Words&) {
    ::setpgid(0, 0);
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != worker_) ::_exit(EXIT_FAILURE);
    return {};
  }
  /// In the child that has reported why. The launcher would run this process's exit handlers there. (Its versions do
  /// not agree about the arguments.)
  template <class... Any>
  void on_exec_error(Any&&...) {
    ::_exit(EXIT_FAILURE);
  }

 private:
  pid_t worker_ = ::getpid();
};

class Run {
 public:
  explicit Run(const ProcessRequest& request)
      : request_(request), output_(context_, request.max_output), errors_(context_, request.max_output) {}
  ~Run() {
    if (child_ < 0 || status_) return;
    ::kill(-child_, SIGKILL);
    if (!process_) ::waitpid(child_, nullptr, 0);
  }
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  ProcessResult run() {
    start();
    output_.read([this] { look_for_the_end(); });
    errors_.read([this] { look_for_the_end(); });
    wait_for_child();
    context_.run();

    ProcessResult result;
    result.exit = exit_status(*status_);
    result.output = std::move(output_.text);
    result.errors = std::move(errors_.text);
    result.truncated = output_.truncated || errors_.truncated;
    return result;
  }

 private:
  void start() {
    const std::vector<std::string>& words = request_.arguments;
    v2::process_stdio streams{nullptr, output_.pipe, errors_.pipe};
    for (const Failure& failure : {streams.out.ec, streams.err.ec})
      if (failure) throw_not_started(words.front(), "no pipe for it: " + failure.message());
    Failure failure;
    v2::default_process_launcher launcher;
    const pid_t self = ::getpid();
    try {
      process_.emplace(launcher(context_.get_executor(), failure, words.front(),
                                std::vector<std::string>(words.begin() + 1, words.end()), streams,
                                v2::process_environment(request_.environment),
                                v2::process_start_dir(request_.working_folder), ChildSetup()));
    } catch (const boost::system::system_error&) {
      if (::getpid() != self) ::_exit(EXIT_FAILURE);
      if (launcher.pid < 0) throw;
      // It runs, and the kernel has no descriptor for its end.
    }
    if (failure || launcher.pid < 0) {
      if (launcher.pid > 0) ::waitpid(launcher.pid, nullptr, 0);  // Boost does it since 1.88
      throw_not_started(words.front(), failure.message());
    }
    child_ = launcher.pid;
  }

  void wait_for_child() {
    if (!process_) return look_for_child();
    process_->async_wait([this](const Failure& failure, int) {
      if (failure) throw Error("the end of " + request_.arguments.front() + " is not known: " + failure.message());
      child_ended(process_->native_exit_code());
    });
  }
  void look_for_child() {
    int status = 0;
    if (::waitpid(child_, &status, WNOHANG) == child_) return child_ended(status);
    after(poll_interval, [this] { look_for_child(); });
  }
  void child_ended(int status) {
    status_ = status;
    look_for_the_end();
    if (context_.stopped()) return;
    // Of what it left running, only what holds its streams is waited for, and not for long. It keeps the group's number
    // from being another's.
    after(group_exit_delay, [this] {
      ::kill(-child_, SIGKILL);
      after(drain_timeout, [this] { context_.stop(); });
    });
  }
  void look_for_the_end() {
    if (status_ && output_.is_at_end && errors_.is_at_end) context_.stop();
  }

  template <class Step>
  void after(Clock::duration time, Step step) {
    timer_.expires_after(time);
    timer_.async_wait([step](const Failure&) { step(); });
  }

  const ProcessRequest& request_;
  asio::io_context context_{1};
  Stream output_;
  Stream errors_;
  Timer timer_{context_};
  std::optional<v2::basic_process<Executor>> process_;
  pid_t child_ = -1;
  std::optional<int> status_;
};

bool has_zero(const std::vector<std::string>& strings) {
  return std::any_of(strings.begin(), strings.end(),
                     [](const std::string& string) { return string.find('\0') != std::string::npos; });
}

class RealProcessRunner : public ProcessRunner {
 public:
  ProcessResult run(const ProcessRequest& request) override {
    if (request.arguments.empty()) throw Error("cannot start a program: no program is named");
    const std::string& program = request.arguments.front();
    // Cut off at its zero, it would be another argument.
    if (has_zero(request.arguments) || has_zero(request.environment))
      throw_not_started(program, "an argument or variable holds a zero byte");
    try {
      return std::make_unique<Run>(request)->run();       // its buffers are large
    } catch (const boost::system::system_error& error) {  // which is no std::system_error
      throw_not_started(program, error.what());
    }
  }
};

}  // namespace

ProcessRunner& ProcessRunner::real() {
  static RealProcessRunner runner;
  return runner;
}

}  // namespace kiln
