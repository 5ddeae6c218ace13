// Where the time of a compile went, as `kiln compile --timing` shows it.
#pragma once

#include <kiln/code_object.hpp>

#include <chrono>
#include <string>

namespace kiln::tool {

/// Less what was measured apart.
std::chrono::microseconds time_in_all(const CompileTiming& timing);

/// Of code that was compiled with CompileOptions::timing.
std::string timing_table(const CodeObject& code);

}  // namespace kiln::tool
