// A program run by a test.
#pragma once

#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

namespace kiln::test {

struct ProgramResult {
  /// The exit status, or 128 + the signal that ended it, as a shell says it.
  int status = -1;
  /// Standard output and standard error, in the order in which they were written.
  std::string output;
};

/// Runs a program with these arguments and waits for it.
inline ProgramResult run_program(const std::filesystem::path& program, const std::vector<std::string>& arguments) {
  const auto quoted_word = [](const std::string& word) {
    std::string text = "'";
    for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return text + "'";
  };
  // exec: a signal must end the program itself, not a shell above it that turns it into a status.
  std::string command = "exec " + quoted_word(program.string());
  for (const std::string& argument : arguments) command.append(" ").append(quoted_word(argument));
  command += " 2>&1";
  FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) throw std::runtime_error("cannot run " + command);
  ProgramResult result;
  std::array<char, 4096> buffer;
  for (std::size_t size; (size = std::fread(buffer.data(), 1, buffer.size(), pipe)) > 0;)
    result.output.append(buffer.data(), size);
  const int status = pclose(pipe);
  result.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return result;
}

}  // namespace kiln::test
