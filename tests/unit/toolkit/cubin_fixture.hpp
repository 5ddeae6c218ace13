// Real code for the tests of its readers, from the NVRTC of this machine.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace kiln::test {

enum class Form { cubin, ptx };

/// Nothing where there is no NVRTC, or one that does not know the architecture. Throws where the source is wrong.
std::optional<std::string> compile_fixture(const std::string& source, const std::string& arch, Form form);

}  // namespace kiln::test
