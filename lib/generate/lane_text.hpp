// What the sources of generated kernels begin with: elements of a vector that go through registers in pieces of 16
// bytes.
#pragma once

#include <string>
#include <string_view>

namespace kiln {

/// CUDA C++: what a kernel asks for its place, with no member's name, which could be a macro of the program.
std::string_view index_text();
/// Expressions behind index_text(), of a type of CUDA C++: a thread's place in the whole launch, and all its threads.
std::string thread_index(const std::string& type);
std::string thread_count(const std::string& type);
/// CUDA C++.
std::string_view lane_text();

}  // namespace kiln
