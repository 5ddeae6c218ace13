// Writes sources and headers that show, in the code, which texts the compiler read and what it asked for.
#pragma once

#include "random.hpp"
#include "scenario.hpp"

#include <set>
#include <string>
#include <vector>

namespace kiln::oracle {

/// What known_holes.cpp knows Kiln to get wrong. A random scenario leaves it out unless it is let in.
struct Allowed {
  bool has_include_next = false;
  bool has_include_alias = false;
  bool copies_of_pragma_once = false;  // by nvcc
  bool blocked_places = false;         // a folder, or what cannot be read, in the place of a header
  bool pasted_places = false;          // __FILE__ made by pasting
};

class SourceWriter {
 public:
  SourceWriter(Random& random, const Allowed& allowed, Backend backend)
      : random_(random), allowed_(allowed), backend_(backend) {}

  Text source();
  Text header();
  /// The same with another value in one place; of the same size.
  Text edited(const Text& text);
  /// Options that headers may make use of.
  std::vector<std::string> options();
  bool wrote_pragma_once() const { return wrote_pragma_once_; }

 private:
  std::string piece();
  std::string plain_include();
  std::string question();
  std::string asked_include();
  std::string computed_include();
  std::string macro();
  std::string place();
  std::string decoy();
  /// A definition that shows in the code; another one where the text is read again.
  std::string value(const std::string& expression = {});
  /// Of a header that some folder is likely to have.
  std::string common_name();
  std::string name();
  std::string spelled(const std::string& header);
  std::string number() { return std::to_string(next_++); }

  Random& random_;
  const Allowed& allowed_;
  const Backend backend_;
  int next_ = 10'000;  // all of one size
  bool wrote_pragma_once_ = false;
};

}  // namespace kiln::oracle
