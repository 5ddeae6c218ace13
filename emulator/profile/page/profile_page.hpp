// A profile as one HTML file that a browser shows without network.
#pragma once

#include <string>
#include <string_view>

namespace kiln::emulator {

/// `json`: a profile as text (docs/emulator.md). Whatever names and sources it holds, no part of it becomes HTML.
std::string profile_page(std::string_view json);

/// What stands around the JSON (join_page.py makes them of page.html, styles and scripts).
std::string_view page_before_profile();
std::string_view page_behind_profile();

}  // namespace kiln::emulator
