// Several PTX texts made one.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

namespace kiln::emulator {

struct LinkInputText {
  std::string name;  // for error texts
  std::string ptx;
};

/// What is wrong with the inputs; what() has a line for each fault, in the words of NVIDIA's linkers.
class LinkFailure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// One text in which what one input declares .extern is what another defines. What is not visible stays each input's
/// own; of weak definitions of one name the first counts. Throws LinkFailure for symbols defined twice and those that
/// nobody defines, ptx::ParseError for an input that is no PTX.
std::string link_ptx(const std::vector<LinkInputText>& inputs);

}  // namespace kiln::emulator
