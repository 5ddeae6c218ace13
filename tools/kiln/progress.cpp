#include "progress.hpp"

#include "base/printable_text.hpp"
#include "output_file.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace kiln::tool {

namespace {

constexpr const char* erase_line = "\r\x1b[K";

std::size_t columns() {
  winsize size = {};
  return ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

std::string bar(std::size_t done, std::size_t total) {
  constexpr std::size_t width = 30;
  const std::size_t full = done * width / total;
  return "[" + std::string(full, '#') + std::string(width - full, '.') + "]";
}

}  // namespace

Progress::Progress() : is_terminal_(::isatty(STDERR_FILENO) == 1) {}

Progress::~Progress() {
  if (is_terminal_) std::fputs(erase_line, stderr);
}

void Progress::step(std::size_t done, std::size_t total, const std::string& what) const {
  const std::string count = std::to_string(done) + "/" + std::to_string(total) + " ";
  if (!is_terminal_) {
    say(count + printable_line(what) + "\n");
    return;
  }
  std::string line = bar(done, total) + " " + count + printable_line(what);
  line.resize(std::min(line.size(), columns() - 1));  // a line that wraps cannot be erased
  std::fprintf(stderr, "%s%s", erase_line, line.c_str());
  std::fflush(stderr);
}

}  // namespace kiln::tool
