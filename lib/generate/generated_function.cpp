#include "generate/generated_function.hpp"

#include "launch/host_transfer.hpp"

#include <algorithm>

namespace kiln {

void GeneratedFunction::launch(CUstream stream, std::size_t elements, const detail::VectorCall& call) const {
  if (elements != 0) launch_blocks(stream, (elements - 1) / block + 1, call);
}

void GeneratedFunction::launch_blocks(CUstream stream, std::size_t blocks, const detail::VectorCall& call) const {
  constexpr std::size_t most_blocks = 0x7fffffff;
  LaunchConfig config;
  config.grid = Dim3(std::min(most_blocks, blocks));
  config.block = Dim3(block);
  config.stream = stream;
  if (call.slots.count == 0) return kernel().launch(config, call.pointers);
  launch_with_slots(kernel(), config, call.pointers, call.slots, stream == nullptr);
}

}  // namespace kiln
