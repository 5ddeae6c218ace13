#include "emulator/profile/page/profile_page.hpp"

namespace kiln::emulator {

std::string profile_page(std::string_view json) {
  std::string page(page_before_profile());
  page.reserve(page.size() + json.size() + json.size() / 16 + page_behind_profile().size());
  // Only strings of JSON can hold a '<'. Without one, a browser sees no end of the script element, and no comment.
  for (std::size_t begin = 0; begin < json.size();) {
    const std::size_t bracket = json.find('<', begin);
    page += json.substr(begin, bracket - begin);
    if (bracket == std::string_view::npos) break;
    page += "\\u003c";
    begin = bracket + 1;
  }
  page += page_behind_profile();
  return page;
}

}  // namespace kiln::emulator
