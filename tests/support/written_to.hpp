// What an action writes to standard output or standard error, as the process's file descriptors have it.
#pragma once

#include <cstdio>
#include <functional>
#include <stdexcept>
#include <string>

#include <unistd.h>

namespace kiln::test {

/// What `action` writes to the file descriptor. Not for use beside other threads that write there.
inline std::string written_to(int descriptor, const std::function<void()>& action) {
  std::FILE* const file = std::tmpfile();
  if (file == nullptr) throw std::runtime_error("no temporary file");
  std::fflush(nullptr);
  const int kept = ::dup(descriptor);
  ::dup2(::fileno(file), descriptor);
  action();
  std::fflush(nullptr);
  ::dup2(kept, descriptor);
  ::close(kept);
  std::rewind(file);
  std::string text;
  for (int c = std::fgetc(file); c != EOF; c = std::fgetc(file)) text += static_cast<char>(c);
  std::fclose(file);
  return text;
}

}  // namespace kiln::test
