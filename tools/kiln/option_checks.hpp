// What is wrong with an option's value, beside what CLI11 finds: checks for CLI::Option::check(), which puts the
// option's name before the text. Each returns an empty text where nothing is wrong.
#pragma once

#include <string>

namespace CLI {
class App;
}  // namespace CLI

namespace kiln::tool {

/// An architecture: sm_90, native-a.
std::string arch_fault(const std::string& text);
/// Several, with commas between: sm_80,compute_90,lto_90.
std::string code_fault(const std::string& text);
/// A macro: NAME, NAME=VALUE or NAME(x)=VALUE.
std::string define_fault(const std::string& text);
/// One option for a compiler.
std::string compiler_option_fault(const std::string& text);
/// A number of bytes: 4096, 48K.
std::string size_fault(const std::string& text);

/// Gives all options of all commands the checks that depend on their type alone: values that are empty, or that are no
/// whole number where one is expected.
void check_all_values(CLI::App& app);

}  // namespace kiln::tool
