// Errors of kernels that ran earlier, which the driver reports at any later call, and the launched kernels.
#pragma once

#include <string>

namespace kiln {

/// Words for an error text where the result may come from earlier asynchronous work and has spoilt the context; empty
/// for every other result.
std::string asynchronous_hint(int result);

/// check_driver for a call that waits for, follows or copies other work: with the words above. `context` as there.
void check_work(int result, const char* call, const std::string& context = {});

/// After the first launch of a kernel that the driver accepted; later ones need no call, so that a launch costs
/// nothing.
void note_launched(const std::string& kernel) noexcept;

/// "the only kernel launched in this process is scale", "the kernels launched in this process are scale and add"; empty
/// where there was none, or more than a few.
std::string describe_launched();

/// For tests.
void forget_launched();

}  // namespace kiln
