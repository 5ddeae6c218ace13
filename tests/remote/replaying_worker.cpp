// kiln-worker, but that it compiles each source once: the answer is kept in the folder KILN_REPLAY_FOLDER, and given
// again to whoever asks. So a compile costs next to nothing, and is a real one in all that is seen of it. Each writes a
// line into the folder's file "compiles", and waits there until somebody opens the pipe "gate" to write, where there is
// one.
#include "compile/jobs/wire_values.hpp"
#include "compile/worker/worker_channel.hpp"
#include "scratch_folder.hpp"
#include "worker/answer_job.hpp"
#include "worker/monitor.hpp"
#include "worker/serve.hpp"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace {

using namespace kiln;
namespace fs = std::filesystem;

const fs::path& folder() {
  static const fs::path path(std::getenv("KILN_REPLAY_FOLDER"));
  return path;
}

void note_compile() {
  const int log = ::open((folder() / "compiles").c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (log < 0 || ::write(log, ".\n", 2) != 2) ::_exit(3);
  ::close(log);
}

void wait_at_gate() {
  const fs::path gate = folder() / "gate";
  if (fs::is_fifo(gate)) ::close(::open(gate.c_str(), O_RDONLY | O_CLOEXEC));
}

/// The file of the answer to this job.
fs::path file_of(const MakeCodeJob& job) {
  std::string text = job.request.job.source;
  for (const std::string& argument : job.request.job.arguments) text += '\n' + argument;
  return folder() / digest_of(text).hex();
}

std::optional<std::string> replay(std::string_view bytes) {
  WireReader in(bytes);
  JobHead head;
  in(head);
  if (head.kind != job_kind<MakeCodeJob>) return answer_job(bytes);
  MakeCodeJob job;
  in(job);
  note_compile();
  wait_at_gate();
  const fs::path file = file_of(job);
  if (fs::exists(file)) return kiln::test::file_bytes(file);
  const auto answer = answer_job(bytes);
  if (answer) {
    const fs::path part = file.string() + "." + std::to_string(::getpid());
    kiln::test::write_file(part, *answer);
    fs::rename(part, file);
  }
  return answer;
}

void wait_for_channel(short events) {
  pollfd channel = {worker_channel, events, 0};
  ::poll(&channel, 1, -1);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  kiln::worker::fork_compiler(std::atoi(argv[1]));
  if (!kiln::worker::greet(std::chrono::milliseconds(std::atoi(argv[2])))) ::_exit(2);
  while (const auto message = receive_message(worker_channel, wait_for_channel)) {
    const auto answer = replay(message->bytes);
    if (!answer || !send_message(worker_channel, Message::Type::answer, *answer, wait_for_channel)) break;
  }
  ::_exit(0);
}
