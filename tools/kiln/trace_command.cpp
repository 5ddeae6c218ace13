#include "base/argument_error.hpp"
#include "base/files.hpp"
#include "base/own_folder.hpp"
#include "base/path_text.hpp"
#include "base/similar_name.hpp"
#include "base/temporary_folder.hpp"
#include "commands.hpp"
#include "output_file.hpp"
#include "trace.hpp"

#include <kiln/error.hpp>

#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

namespace kiln::tool {

namespace {

constexpr const char* recorder_file = "libkiln_trace.so";
constexpr int not_found = 127;  // as shells and env say it
constexpr int not_startable = 126;
constexpr int killed = 128;  // and the signal's number

/// As installed, in lib/kiln/ beside bin/, or as built.
std::string find_recorder() {
  std::string searched;
  for (const char* folder : {KILN_LIB_FROM_BIN "/kiln", "../trace"}) {
    const std::filesystem::path path = (own_folder() / folder / recorder_file).lexically_normal();
    std::error_code error;
    if (!own_folder().empty() && std::filesystem::exists(path, error)) return path.string();
    searched += (searched.empty() ? "" : ", ") + path.string();
  }
  throw ToolkitError(
      "kiln trace needs " + std::string(recorder_file) + ", which is not there (" + searched +
          "): Kiln was built without NVTX's header (nvtx3/nvToolsExt.h, which is in the CUDA toolkit and "
          "in the wheel nvidia-nvtx), or a part of it was not installed, or not built (ninja -C BUILD)",
      {searched});
}

/// What the program, and all that it starts, are to have.
void set_environment(const std::string& recorder, const std::string& folder, bool launches) {
  ::setenv("NVTX_INJECTION64_PATH", recorder.c_str(), 1);
  ::setenv("KILN_TRACE_FOLDER", folder.c_str(), 1);
  ::setenv("KILN_NVTX", launches ? "launches" : "on", 1);
}

/// While the program runs, the terminal's signals are for it alone.
class TerminalSignals {
 public:
  TerminalSignals() {
    struct sigaction ignored = {};
    ignored.sa_handler = SIG_IGN;
    ::sigaction(SIGINT, &ignored, &interrupt_);
    ::sigaction(SIGQUIT, &ignored, &quit_);
  }
  ~TerminalSignals() {
    ::sigaction(SIGINT, &interrupt_, nullptr);
    ::sigaction(SIGQUIT, &quit_, nullptr);
  }
  TerminalSignals(const TerminalSignals&) = delete;
  TerminalSignals& operator=(const TerminalSignals&) = delete;

  /// Those that the program does not inherit as ignored.
  sigset_t of_program() const {
    sigset_t set;
    ::sigemptyset(&set);
    if (interrupt_.sa_handler != SIG_IGN) ::sigaddset(&set, SIGINT);
    if (quit_.sa_handler != SIG_IGN) ::sigaddset(&set, SIGQUIT);
    return set;
  }

 private:
  struct sigaction interrupt_ = {};
  struct sigaction quit_ = {};
};

std::atomic<pid_t> traced_program{0};
static_assert(std::atomic<pid_t>::is_always_lock_free);

void pass_signal_on(int signal) {
  if (const pid_t program = traced_program; program > 0) ::kill(program, signal);
}

/// As timeout and batch systems end a job: the program gets the signal, and what it did until then is shown.
void pass_signals_on(pid_t program) {
  traced_program = program;
  for (const int signal : {SIGTERM, SIGHUP}) {
    struct sigaction before = {};
    ::sigaction(signal, nullptr, &before);
    if (before.sa_handler == SIG_IGN) continue;  // nohup
    struct sigaction passing = {};
    passing.sa_handler = pass_signal_on;
    ::sigaction(signal, &passing, nullptr);
  }
}

/// Its exit status, as a shell has it.
int run_program(const std::vector<std::string>& command) {
  std::vector<char*> words;
  words.reserve(command.size() + 1);
  for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  const TerminalSignals signals;
  const sigset_t defaults = signals.of_program();
  posix_spawnattr_t attributes;
  ::posix_spawnattr_init(&attributes);
  ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
  ::posix_spawnattr_setsigdefault(&attributes, &defaults);
  pid_t child = 0;
  const int error = ::posix_spawnp(&child, words.front(), nullptr, &attributes, words.data(), ::environ);
  ::posix_spawnattr_destroy(&attributes);
  if (error != 0) {
    say(std::string("kiln: cannot start ") + words.front() + ": " + std::generic_category().message(error) + "\n");
    return error == ENOENT ? not_found : not_startable;
  }
  pass_signals_on(child);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  traced_program = 0;
  return WIFSIGNALED(status) ? killed + WTERMSIG(status) : WEXITSTATUS(status);
}

Trace read_parts(const std::string& folder) {
  std::vector<std::string> names;
  FileSystem::real().list(folder, names);
  std::sort(names.begin(), names.end());
  Trace trace;
  for (const std::string& name : names) {
    std::string part;
    if (name.ends_with(".part") && read_file(FileSystem::real(), joined(folder, name), part) >= 0)
      add_part(trace, part);
  }
  return trace;
}

/// Before the program runs: afterwards what was seen would be lost.
void check_arguments(const TraceArguments& arguments) {
  if (arguments.command.empty()) throw_argument_error("trace: give a program to run", "a program", "none");
  const std::string& program = arguments.command.front();
  if (program.front() == '-') {
    const std::string similar = similar_name(program, {"--output", "--no-launches", "--help"});
    throw_argument_error("trace: there is no option " + program +
                             (similar.empty() ? "; there are --output and --no-launches, before the program"
                                              : "; did you mean " + similar + "?"),
                         "-o or --no-launches, then a program", program);
  }
  if (const std::string why = why_unwritable(arguments.output); !why.empty())
    throw_argument_error("trace: --output: cannot write " + arguments.output + ": " + why,
                         "a file in a folder that can be written", arguments.output);
}

std::string title(const Trace& trace) {
  const std::size_t count = trace.processes.size();
  return "kiln trace: " + std::to_string(count) + (count == 1 ? " process" : " processes") + "\n";
}

}  // namespace

int trace_command(const TraceArguments& arguments) {
  check_arguments(arguments);
  const std::string recorder = find_recorder();
  const TemporaryFolder folder(std::filesystem::absolute(temporary_files()).string(), "trace");
  if (folder.error() != 0)
    throw Error("cannot make the folder " + folder.path() + ": " + std::generic_category().message(folder.error()) +
                ". trace needs a folder for its work: set TMPDIR to one that can be written and has room");
  set_environment(recorder, folder.path(), arguments.launches);
  const int status = run_program(arguments.command);
  if (status == not_found || status == not_startable) return status;
  const Trace trace = read_parts(folder.path());
  if (trace.empty())
    say("kiln trace: " + arguments.command.front() +
        " did nothing that Kiln has ranges for. It does not use Kiln, or its Kiln was built without NVTX's header, or "
        "something between (a script, sudo, a container) has changed KILN_NVTX or NVTX_INJECTION64_PATH\n");
  else
    say(title(trace) + trace_table(trace));
  if (!arguments.output.empty()) write_output(arguments.output, trace_json(trace));
  return status;
}

}  // namespace kiln::tool
