// From PTX text to a module.
#pragma once

#include "emulator/ptx/module.hpp"

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>

namespace kiln::emulator::ptx {

/// Of newer ones the parser reads what it knows.
constexpr std::pair<std::uint32_t, std::uint32_t> newest_known{9, 0};
constexpr const char* newest_known_text = "9.0";

/// What is wrong with a text: what() reads as ptxas writes it, "ptxas application ptx input, line 12; error : ...",
/// with the line's text.
class ParseError : public std::runtime_error {
 public:
  ParseError(std::size_t line, const std::string& text, std::string message)
      : std::runtime_error(text), line_(line), message_(std::move(message)) {}
  std::size_t line() const noexcept { return line_; }
  /// The error alone, without where it is.
  const std::string& message() const noexcept { return message_; }

 private:
  std::size_t line_;
  std::string message_;
};

/// Throws ParseError. Knows the language, not each instruction: an unknown opcode parses, and is the lowering's error.
/// In a text of a newer PTX than 9.0 what cannot be read is no error: Function::unread, Module::unread.
/// A text that ends early, nests too deep or claims absurd sizes is an error, never a crash. Thread-safe.
Module parse(std::string text);

}  // namespace kiln::emulator::ptx
