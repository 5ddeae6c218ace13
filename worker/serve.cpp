#include "worker/serve.hpp"

#include "compile/worker/worker_channel.hpp"
#include "compile/worker/worker_program.hpp"
#include "compile/worker/worker_ranges.hpp"
#include "worker/answer_job.hpp"
#include "worker/folders/work_folder.hpp"
#include "worker/pch/pch_maker.hpp"

#include <kiln/log.hpp>

#include <poll.h>
#include <unistd.h>

#include <cstdio>
#include <optional>
#include <string>

namespace kiln::worker {

namespace {

void wait_for_channel(short events) {
  pollfd channel = {worker_channel, events, 0};
  ::poll(&channel, 1, -1);
}

void send_range(char what, const char* text = "") {
  send_message(worker_channel, Message::Type::range, std::string(1, what).append(text), wait_for_channel);
}

constexpr RangeSink channel_ranges = {
    [](const char* text) { send_range(begin_of_range, text); }, [] { send_range(end_of_range); },
    [](const char*) {},  // a worker's stages have none
};

bool comes_within(std::chrono::milliseconds time) {
  pollfd channel = {worker_channel, POLLIN, 0};
  return ::poll(&channel, 1, static_cast<int>(time.count())) != 0;
}

}  // namespace

bool greet(std::chrono::milliseconds longest_idle) {
  send_message(worker_channel, Message::Type::hello, worker_build(), wait_for_channel);
  if (!comes_within(longest_idle)) return false;
  const auto hello = receive_message(worker_channel, wait_for_channel);
  if (!hello) return false;
  const bool is_same = hello->type == Message::Type::hello && hello->bytes == worker_build();
  if (!is_same) std::fprintf(stderr, "kiln-worker: the program that started it is of another build of Kiln\n");
  return is_same;
}

int serve(std::chrono::milliseconds longest_idle) {
  set_log_handler([](LogLevel level, const std::string& text) {
    send_message(worker_channel, Message::Type::log, std::string(1, static_cast<char>(level)).append(text),
                 wait_for_channel);
  });
  report_kept_folders(
      [](const std::string& path) { send_message(worker_channel, Message::Type::kept, path, wait_for_channel); });
  while (comes_within(longest_idle)) {
    const auto message = receive_message(worker_channel, wait_for_channel);
    if (!message) break;
    const auto answer =
        message->type == Message::Type::job ? answer_job(message->bytes, &channel_ranges) : std::nullopt;
    if (!answer) {
      std::fprintf(stderr, "kiln-worker: the job is not of this version of Kiln\n");
      return 2;
    }
    // Before: a host that ends with its answer has the monitor end this process.
    start_ordered_pch_maker();
    if (!send_message(worker_channel, Message::Type::answer, *answer, wait_for_channel)) break;
  }
  return 0;
}

}  // namespace kiln::worker
