// Links several PTX texts to one.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

namespace kiln::emulator {

struct LinkInputText {
  std::string name;  // for error texts
  std::string ptx;
};

/// Errors of the inputs. what() has one line for each, worded as NVIDIA's linkers do.
class LinkFailure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Links the inputs to one text: what one input declares .extern is what another defines. Names that are not visible
/// stay separate; of weak definitions the first counts. Throws LinkFailure for duplicate and undefined symbols,
/// ptx::ParseError for an input that is not PTX.
std::string link_ptx(const std::vector<LinkInputText>& inputs);

}  // namespace kiln::emulator
