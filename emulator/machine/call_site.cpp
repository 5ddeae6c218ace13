#include "emulator/machine/call_site.hpp"

#include <algorithm>
#include <cstring>

namespace kiln::emulator {
namespace {

void copy_params(const Frame& from, const std::vector<ParamPlace>& sources, const Frame& to,
                 const std::vector<ParamPlace>& targets, LaneMask lanes) {
  const std::size_t count = std::min(sources.size(), targets.size());
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t size = std::min(sources[i].size, targets[i].size);
    const std::byte* const source = from.params + sources[i].offset;
    std::byte* const target = to.params + targets[i].offset;
    const std::size_t source_step = from.code->param_bytes, target_step = to.code->param_bytes;
    each_lane(lanes,
              [=](unsigned lane) { std::memcpy(target + lane * target_step, source + lane * source_step, size); });
  }
}

}  // namespace

void pass_arguments(const CallSite& site, const Frame& frame, LaneMask lanes) {
  copy_params(*frame.caller, site.arguments, frame, frame.code->params, lanes);
}

void return_results(const Frame& frame, LaneMask lanes) {
  const Step& call = frame.caller->code->steps[frame.call_step];
  const CallSite& site = *static_cast<const CallSite*>(call.data);
  copy_params(frame, frame.code->returns, *frame.caller, site.results, lanes);
}

}  // namespace kiln::emulator
