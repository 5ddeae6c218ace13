// Of Boost this takes what Boost.Process v2 reads pipes and waits with, Asio's readable_pipe, timer and descriptor, and
// not v2::process itself. Its launchers fork (half a second beside 4 GiB of memory), leave a zombie where the program
// is missing (up to 1.87), run exit handlers of the host in the child, and throw after the start where pidfd_open is
// refused; its handle reaps the child before its group can be ended, and from 1.86 on it is a library that each start
// of a host would load. All of Asio that is used here is in its headers, from Boost 1.81 on.
#include "worker/process_runner.hpp"

#include "base/child_process.hpp"
#include "base/fork_safe_instance.hpp"
#include "base/owned_descriptor.hpp"

#include <kiln/error.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <system_error>
#include <utility>

#include <boost/asio/basic_readable_pipe.hpp>
#include <boost/asio/basic_waitable_timer.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/basic_stream_descriptor.hpp>

#include <fcntl.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <unistd.h>

namespace kiln {
namespace {

namespace asio = boost::asio;
using Clock = Stop::Clock;
// Asio's default executor, any_io_executor, would double the code.
using Executor = asio::io_context::executor_type;
using Pipe = asio::basic_readable_pipe<Executor>;
using Descriptor = asio::posix::basic_stream_descriptor<Executor>;
using Timer = asio::basic_waitable_timer<Clock, asio::wait_traits<Clock>, Executor>;
using Failure = boost::system::error_code;

// For children of a program that ended to end too; from SIGTERM to SIGKILL; and for the streams to close after that.
constexpr std::chrono::milliseconds grace{200};
constexpr std::chrono::seconds patience{2};
constexpr std::chrono::milliseconds last_words{200};
// Between two looks where the kernel does not tell the end of a child.
constexpr std::chrono::milliseconds look{10};

[[noreturn]] void throw_no_way(const std::string& program, int error) {
  throw Error("cannot start " + program + ": no pipe or event for it: " + std::generic_category().message(error));
}

/// One of the child's streams.
class Stream {
 public:
  /// Not by Asio's connect_pipe(): other threads' children would inherit those ends, and hold them open.
  Stream(asio::io_context& context, const std::string& program, std::size_t most) : pipe_(context), most_(most) {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw_no_way(program, errno);
    OwnedDescriptor read_end(ends[0]);
    write_end_ = OwnedDescriptor(ends[1]);
    pipe_.assign(read_end.get());
    read_end.release();
  }

  int write_end() const noexcept { return write_end_.get(); }
  void close_write_end() noexcept { write_end_.close(); }
  bool is_open() const noexcept { return open_; }

  /// Reads to the end; what is beyond the limit is read, for the child to go on, and dropped.
  template <class AtEnd>
  void read(AtEnd at_end) {
    pipe_.async_read_some(asio::buffer(buffer_), [this, at_end](const Failure& failure, std::size_t size) {
      const std::size_t kept = std::min(size, most_ - text.size());
      text.append(buffer_.data(), kept);
      truncated = truncated || kept < size;
      if (!failure) return read(at_end);
      open_ = false;
      at_end();
    });
  }

  std::string text;
  bool truncated = false;

 private:
  Pipe pipe_;
  OwnedDescriptor write_end_;
  std::size_t most_;
  bool open_ = true;
  std::array<char, std::size_t{1} << 15> buffer_;
};

class Run {
 public:
  explicit Run(const ProcessRequest& request)
      : request_(request),
        output_(context_, request.arguments.front(), request.max_output),
        errors_(context_, request.arguments.front(), request.max_output),
        cancelled_(context_),
        ended_(context_),
        deadline_(context_),
        next_(context_) {
    if (request.stop.cancel.state() == nullptr) return;
    OwnedDescriptor event(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
    if (event.get() < 0) throw_no_way(request.arguments.front(), errno);
    cancelled_.assign(event.get());
    event.release();
  }

  ProcessResult run() {
    const auto start = Clock::now();
    ChildProcess child({request_.arguments, request_.environment, request_.working_folder, -1, output_.write_end(),
                        errors_.write_end()});
    child_ = &child;
    output_.close_write_end();
    errors_.close_write_end();
    const CancelWatch watch(request_.stop.cancel,
                            [event = cancelled_.is_open() ? cancelled_.native_handle() : -1] { wake(event); });
    wait_for_all();
    context_.run();

    ProcessResult result;
    result.exit = child.reap();
    result.output = std::move(output_.text);
    result.errors = std::move(errors_.text);
    result.truncated = output_.truncated || errors_.truncated;
    result.stopped = stopped_;
    result.elapsed = Clock::now() - start;
    return result;
  }

 private:
  static void wake(int event) noexcept {
    const std::uint64_t one = 1;
    // Only fails where it is readable already.
    [[maybe_unused]] const ssize_t written = ::write(event, &one, sizeof one);
  }

  void wait_for_all() {
    output_.read([this] { look_for_the_end(); });
    errors_.read([this] { look_for_the_end(); });
    if (request_.stop.deadline) {
      deadline_.expires_at(*request_.stop.deadline);
      deadline_.async_wait([this](const Failure&) { stop(); });
    }
    if (cancelled_.is_open()) cancelled_.async_wait(Descriptor::wait_read, [this](const Failure&) { stop(); });

    OwnedDescriptor event = child_->end_event();
    if (event.get() < 0) return look_for_child();
    ended_.assign(event.get());
    event.release();
    ended_.async_wait(Descriptor::wait_read, [this](const Failure&) { child_ended(); });
  }

  // Without an event for it.
  void look_for_child() {
    if (child_->has_ended()) return child_ended();
    look_.expires_after(look);
    look_.async_wait([this](const Failure&) { look_for_child(); });
  }

  void child_ended() {
    child_has_ended_ = true;
    look_for_the_end();
    // Of what it left running, only what holds its streams is waited for, and not for long.
    if (!context_.stopped() && !ending_) after(grace, &Run::end_group);
  }

  void look_for_the_end() {
    const bool silent = streams_given_up_ || (!output_.is_open() && !errors_.is_open());
    if (child_has_ended_ && silent) context_.stop();
  }

  void stop() {
    if (child_has_ended_) return;
    stopped_ = true;
    end_group();
  }
  void end_group() {
    if (std::exchange(ending_, true)) return;
    child_->signal_group(SIGTERM);
    after(patience, &Run::kill_group);
  }
  void kill_group() {
    child_->signal_group(SIGKILL);
    after(last_words, &Run::give_up_streams);
  }
  // Somebody who left the group holds them.
  void give_up_streams() {
    streams_given_up_ = true;
    look_for_the_end();
  }

  void after(Clock::duration time, void (Run::*step)()) {
    next_.expires_after(time);
    next_.async_wait([this, step](const Failure& failure) {
      if (!failure) (this->*step)();
    });
  }

  const ProcessRequest& request_;
  asio::io_context context_{1};
  Stream output_;
  Stream errors_;
  Descriptor cancelled_;
  Descriptor ended_;
  Timer deadline_;
  Timer next_;
  Timer look_{context_};
  ChildProcess* child_ = nullptr;
  bool child_has_ended_ = false;
  bool stopped_ = false;
  bool ending_ = false;
  bool streams_given_up_ = false;
};

class RealProcessRunner : public ProcessRunner {
 public:
  ProcessResult run(const ProcessRequest& request) override {
    if (request.arguments.empty()) throw Error("cannot start a program: no program is named");
    if (request.stop.is_due()) {
      ProcessResult result;
      result.exit.unknown = result.stopped = true;
      return result;
    }
    try {
      return std::make_unique<Run>(request)->run();       // its buffers are too large for a stack of a thread
    } catch (const boost::system::system_error& error) {  // which is no std::system_error
      throw Error("cannot start " + request.arguments.front() + ": " + error.what());
    }
  }
};

}  // namespace

ProcessRunner& ProcessRunner::real() { return fork_safe_instance<RealProcessRunner>(); }

}  // namespace kiln
