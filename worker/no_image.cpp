// The worker itself carries none.
#include "compile/worker/worker_program.hpp"

namespace kiln {

std::string_view worker_image() { return {}; }
std::string_view worker_image_identity() { return {}; }

}  // namespace kiln
