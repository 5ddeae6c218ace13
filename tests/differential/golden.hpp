// What a GPU gave, kept small: a digest for each row of an exact program, all words of a bounded one, printed text.
#pragma once

#include "program.hpp"

#include <string>

namespace differential {

struct Result {
  Words words;
  std::string printed;
};

void write_golden(const std::filesystem::path& folder, const Program& program, const Result& result);
bool has_golden(const std::filesystem::path& folder, const Program& program);
/// Empty where the result is as kept; else what differs, for people. Throws std::runtime_error where nothing is kept.
std::string difference(const std::filesystem::path& folder, const Program& program, const Result& result);

/// The first differing words and their inputs, given all words of the other device: for looking into a difference.
std::string compare_words(const Program& program, const Words& expected, const Words& found);

}  // namespace differential
