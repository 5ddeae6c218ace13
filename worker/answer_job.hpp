// What a worker does with a job.
#pragma once

#include "base/range.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace kiln {

/// Does the job in this process, which takes on the environment that the job brings, but for TMPDIR; the answer is the
/// result or the error. Nothing where the bytes are no job of this build's. For a process that does nothing else: one
/// job at a time. Its stages go to `ranges` where the job asks for them.
std::optional<std::string> answer_job(std::string_view bytes, const RangeSink* ranges = nullptr);

}  // namespace kiln
