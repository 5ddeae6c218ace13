#include "module/function_names.hpp"

#include "base/identifier.hpp"

#include <cstddef>

namespace kiln {

std::vector<std::string> function_names_in(std::string_view source) {
  std::vector<std::string> names;
  constexpr std::string_view marker = "__global__";
  for (std::size_t at = source.find(marker); at != std::string_view::npos; at = source.find(marker, at)) {
    at += marker.size();
    // Behind __launch_bounds__(...) there is another one.
    for (int list = 0; list < 2 && at < source.size(); ++list) {
      const std::size_t open = source.find('(', at);
      if (open == std::string_view::npos) break;
      std::size_t end = open;
      while (end > at && (source[end - 1] == ' ' || source[end - 1] == '\n')) --end;
      std::size_t begin = end;
      while (begin > at && is_of_identifier(source[begin - 1])) --begin;
      const std::string name(source.substr(begin, end - begin));
      at = open + 1;
      if (name.empty() || name == "__launch_bounds__") continue;
      names.push_back(name);
      break;
    }
  }
  return names;
}

}  // namespace kiln
