// Which kernels were launched, so that the error of one that went astray, which the driver tells at whatever call comes
// later and without a name, can say where to look.
#pragma once

#include <string>

namespace kiln {

/// After the first launch of a kernel that the driver took; later ones need no call, so that a launch costs nothing.
void note_launched(const std::string& kernel) noexcept;

/// "the only kernel launched in this process is scale", "the kernels launched in this process are scale and add"; empty
/// where there was none, or more than a few.
std::string describe_launched();

/// For tests.
void forget_launched();

}  // namespace kiln
