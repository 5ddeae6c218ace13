// What the sources of generated kernels begin with: elements of a vector that go through registers in pieces of 16
// bytes.
#pragma once

#include <string>
#include <string_view>

namespace kiln {

/// CUDA C++: functions for a thread's index. They use no member names, because these could be macros of the program.
std::string_view index_text();
/// Expressions of the given CUDA C++ type that need index_text(): a thread's index in the launch, and the number of all
/// threads.
std::string thread_index(const std::string& type);
std::string thread_count(const std::string& type);
/// CUDA C++.
std::string_view lane_text();

/// CUDA C++, after lane_text() and value_functions(): values that go from thread to thread.
std::string_view shuffle_text();

/// After shuffle_text(), where there is a neutral element: the end of a reduction.
std::string_view reduce_text();

}  // namespace kiln
