// From PTX text to a module.
#pragma once

#include "emulator/ptx/module.hpp"

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>

namespace kiln::emulator::ptx {

/// Of texts of newer versions the parser reads what it knows.
constexpr std::pair<std::uint32_t, std::uint32_t> newest_known{9, 0};
constexpr const char* newest_known_text = "9.0";
/// Of texts for newer architectures, too.
constexpr std::uint32_t newest_known_sm = 90;

/// An error of a text. what() is worded as ptxas words it: "ptxas application ptx input, line 12; error : ...",
/// followed by the text of the line.
class ParseError : public std::runtime_error {
 public:
  ParseError(std::size_t line, const std::string& text, std::string message)
      : std::runtime_error(text), line_(line), message_(std::move(message)) {}
  std::size_t line() const noexcept { return line_; }
  /// The message without the place.
  const std::string& message() const noexcept { return message_; }

 private:
  std::size_t line_;
  std::string message_;
};

/// Throws ParseError. Does not know the instructions: an unknown opcode parses, and the lowering refuses it. In a text
/// of a newer version than 9.0, or for a newer architecture than sm_90, what cannot be read is not an error but goes to
/// Function::unread and Module::unread. A text that ends early, nests too deeply or claims absurd sizes is an error,
/// never a crash. Thread-safe.
Module parse(std::string text);

}  // namespace kiln::emulator::ptx
