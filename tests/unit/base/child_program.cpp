// What the tests of processes run. The first argument says what it does.
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

namespace {

/// So that parent and tests can tell strings with newlines apart.
int show(char** strings) {
  for (; *strings != nullptr; ++strings) {
    std::fputs(*strings, stdout);
    std::fputc('\0', stdout);
  }
  return 0;
}

/// The open descriptors, what input is at its end, the signals that are not default or blocked, and the group.
int describe() {
  std::string open;
  DIR* const folder = opendir("/proc/self/fd");
  while (const dirent* entry = readdir(folder)) {
    const int descriptor = std::atoi(entry->d_name);
    if (entry->d_name[0] != '.' && descriptor != dirfd(folder)) open += std::string(" ") + entry->d_name;
  }
  closedir(folder);
  std::printf("descriptors%s\n", open.c_str());
  char byte = 0;
  std::printf("input %zd\n", read(0, &byte, 1));
  sigset_t blocked;
  sigprocmask(SIG_SETMASK, nullptr, &blocked);
  for (int signal = 1; signal < NSIG; ++signal) {
    struct sigaction action = {};
    if (sigaction(signal, nullptr, &action) == 0 && action.sa_handler != SIG_DFL) std::printf("handled %d\n", signal);
    if (sigismember(&blocked, signal) == 1) std::printf("blocked %d\n", signal);
  }
  std::printf("leads %d\n", getpgrp() == getpid() ? 1 : 0);
  std::array<char, 4096> folder_name = {};
  std::printf("folder %s\n", getcwd(folder_name.data(), folder_name.size()));
  return 0;
}

void write_all(int descriptor, const std::string& bytes) {
  for (std::size_t done = 0; done < bytes.size();) {
    const ssize_t size = write(descriptor, bytes.data() + done, bytes.size() - done);
    if (size < 0 && errno == EINTR) continue;
    if (size < 0) std::exit(9);
    done += static_cast<std::size_t>(size);
  }
}

/// So many megabytes, an even number, to each stream: who reads one to its end before the other hangs for ever.
int flood(long megabytes) {
  const std::string block(1 << 20, 'x');
  for (const int descriptor : {2, 1, 2, 1})
    for (long i = 0; i < megabytes / 2; ++i) write_all(descriptor, block);
  return 7;
}

[[noreturn]] void hang() {
  for (;;) pause();
}

/// A child that does not end; it holds the streams open and is of this one's group where `first` changes neither.
pid_t leave_child(void (*first)() = [] {}) {
  const pid_t child = fork();
  if (child != 0) return child;
  first();
  for (;;) pause();
}

/// Says its number, and ends.
int leave(pid_t child) {
  write_all(1, std::to_string(child));
  return 3;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string what = argc > 1 ? argv[1] : "";
  if (what == "arguments") return show(argv + 2);
  if (what == "environment") return show(environ);
  if (what == "describe") return describe();
  if (what == "exit") return std::atoi(argv[2]);
  if (what == "flood") return flood(std::atol(argv[2]));
  if (what == "say") {
    write_all(1, "to output");
    write_all(2, "to errors");
    return 0;
  }
  if (what == "hang") {
    write_all(1, "ready\n");
    hang();
  }
  if (what == "leave_child") return leave(leave_child());
  if (what == "leave_stubborn_child") return leave(leave_child([] { std::signal(SIGTERM, SIG_IGN); }));
  if (what == "leave_free_child") return leave(leave_child([] { setsid(); }));
  if (what == "leave_silent_child") return leave(leave_child([] { close(1), close(2); }));
  if (what == "leave_child_report_and_hang") {
    const std::string file = argv[2];
    const std::string unfinished = file + ".new";
    const int descriptor = creat(unfinished.c_str(), 0600);
    write_all(descriptor, std::to_string(getpid()) + " " + std::to_string(leave_child()));
    close(descriptor);
    std::rename(unfinished.c_str(), file.c_str());
    hang();
  }
  if (what == "crash") {
    std::signal(SIGSEGV, SIG_DFL);
    raise(SIGSEGV);
  }
  return 64;
}
