// The step of loops over each byte of a file, or over each type and function.
#pragma once

#include <cstddef>
#include <cstdlib>

namespace kiln::test {

/// One where KILN_TEST_EXHAUSTIVE is set; otherwise `prime`, so that no field of a format is always left out.
inline std::size_t loop_step(std::size_t prime) { return std::getenv("KILN_TEST_EXHAUSTIVE") != nullptr ? 1 : prime; }

/// The same for what is not counted by a loop's variable, such as the kernels of a list of types. A prime that does not
/// divide the length of the inner list gives each of its members its turn with some member of the outer one.
class Turns {
 public:
  explicit Turns(std::size_t prime) : step_(loop_step(prime)) {}
  /// Whether this call's member has its turn: the first one has.
  bool next() { return count_++ % step_ == 0; }

 private:
  std::size_t step_;
  std::size_t count_ = 0;
};

}  // namespace kiln::test
