// From PTX text to a module.
#pragma once

#include "emulator/ptx/module.hpp"

#include <stdexcept>
#include <string>

namespace kiln::emulator::ptx {

/// What is wrong with a text: what() reads as ptxas writes it, "ptxas application ptx input, line 12; error : ...",
/// with the line's text.
class ParseError : public std::runtime_error {
 public:
  ParseError(std::size_t line, const std::string& message) : std::runtime_error(message), line_(line) {}
  std::size_t line() const noexcept { return line_; }

 private:
  std::size_t line_;
};

/// A .version that is not known here, as it is newer: an older driver has an error of its own for it.
class UnsupportedVersion : public ParseError {
 public:
  using ParseError::ParseError;
};

/// Throws ParseError. Knows the language, not each instruction: an unknown opcode parses, and is the lowering's error.
/// A text that ends early, nests too deep or claims absurd sizes is an error, never a crash. Thread-safe.
Module parse(std::string text);

}  // namespace kiln::emulator::ptx
