// KILN_CAPTURE: whose launches are written to a folder, and to which.
#pragma once

#include <kiln/code_object.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kiln {

struct CaptureRule {
  std::string dir;          // absolute
  std::uint64_t max_bytes;  // of one capture's memory
};

/// Whether KILN_CAPTURE is set. Costs one look at the environment.
bool are_captured();

/// By KILN_CAPTURE, KILN_CAPTURE_DIR and KILN_CAPTURE_MAX_SIZE as they are now; nothing where none of the names is
/// meant. A size that is none is a warning, once.
std::optional<CaptureRule> capture_rule(const std::vector<std::string>& names);

/// The spellings under which a person may know a kernel: "ns::scale<float, 4>(float*, int)", "ns::scale<float, 4>",
/// "ns::scale", each without the namespace, and the symbol.
std::vector<std::string> capture_names(const KernelInfo& kernel);

/// "*" is any text, "?" any character.
bool matches_pattern(std::string_view pattern, std::string_view name);

}  // namespace kiln
