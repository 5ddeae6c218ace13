#include "emulator/core/call_error.hpp"

#include "base/environment.hpp"
#include "base/printable_text.hpp"

#include <cstdio>

namespace kiln::emulator {

void log(const std::string& text) noexcept {
  try {
    if (environment("KILN_LOG") == "off") return;
    const std::string line = "kiln emulator: " + printable_text(text) + '\n';
    std::fwrite(line.data(), 1, line.size(), stderr);  // one call, so that lines of several threads do not mix
  } catch (...) {                                      // no memory for the text
  }
}

}  // namespace kiln::emulator
