// A word of the command line that was meant to be part of the option's value before it: "-D N 256".
#pragma once

#include <string>
#include <vector>

namespace kiln::tool {

/// What the functions below look at: all words, without the program.
void note_words(std::vector<std::string> words);

/// How the value is written as one word; empty where `word` stands behind no option that lacks it. For a word that is
/// wrong where it stands.
std::string split_value_advice(const std::string& word);

/// Throws ArgumentError with the advice where there is some, and no file of that name.
void refuse_split_value(const std::string& file);

}  // namespace kiln::tool
