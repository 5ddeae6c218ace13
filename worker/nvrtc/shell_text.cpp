#include "worker/nvrtc/shell_text.hpp"

#include <algorithm>
#include <string_view>

namespace kiln {

std::string shell_text(const std::vector<std::string>& words) {
  constexpr std::string_view harmless = "_./+:=@%^,-";
  std::string text;
  for (const std::string& word : words) {
    const bool plain = !word.empty() && std::all_of(word.begin(), word.end(), [&](char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
             harmless.find(c) != std::string_view::npos;
    });
    std::string quoted = "'";
    for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    text += (text.empty() ? "" : " ") + (plain ? word : quoted + "'");
  }
  return text;
}

}  // namespace kiln
