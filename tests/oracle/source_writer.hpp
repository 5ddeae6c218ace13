// Writes sources and headers that show, in the code, which texts the compiler read and what it asked for.
#pragma once

#include "random.hpp"
#include "scenario.hpp"

#include <set>
#include <string>
#include <vector>

namespace kiln::oracle {

class SourceWriter {
 public:
  /// `knows_has_include_next`: NVRTC 13.5 does not.
  SourceWriter(Random& random, Backend backend, bool knows_has_include_next)
      : random_(random), backend_(backend), knows_has_include_next_(knows_has_include_next) {}

  /// `tells_place`: its own name may show in the code.
  Text source(bool tells_place);
  Text header();
  /// The same with another value in one place; of the same size.
  Text edited(const Text& text);
  /// Options that headers may make use of.
  std::vector<std::string> options();

 private:
  std::string piece(bool tells_place = true);
  /// Definitions that show macros of late_defines, which headers must not have.
  std::string late();
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
  const Backend backend_;
  const bool knows_has_include_next_;
  int next_ = 10'000;  // all of one size
};

}  // namespace kiln::oracle
