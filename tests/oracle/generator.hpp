// Generates scenarios.
#pragma once

#include "random.hpp"
#include "scenario.hpp"
#include "source_writer.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>

namespace kiln::oracle {

class Generator {
 public:
  Generator(std::uint64_t seed, Backend backend, const Allowed& allowed);

  /// The same for the same seed.
  Scenario generate(std::size_t steps);

 private:
  Setup setup();
  void begin();
  Step next();
  Step edit();
  Step add();
  Step link();
  Step move();
  Step block();
  Step change_state();
  Step change_request();
  Step visit();

  std::string some_place();
  std::string some_file();
  void note(const Step& step);
  bool is_left_out(const Step& step) const;

  Random random_;
  const Allowed allowed_;
  const Backend backend_;
  SourceWriter writer_;
  Scenario scenario_;
  std::string here_ = "A";
  std::map<std::string, Text> files_;  // as far as is known: what links lead to is not followed
  std::set<std::string> blocked_;      // once held something else than a header
  bool blocks_ = false;                // such things happen; files then have one path each, in one checkout
};

}  // namespace kiln::oracle
