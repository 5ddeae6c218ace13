// Errors of kernels that ran earlier, which the driver tells at whatever call comes next.
#pragma once

#include <string>

namespace kiln {

/// Words for an error text where the result may come from earlier asynchronous work and has spoilt the context; empty
/// for every other result.
std::string asynchronous_hint(int result);

/// check_driver for a call that waits for, follows or copies other work: with the words above. `context` as there.
void check_work(int result, const char* call, const std::string& context = {});

}  // namespace kiln
