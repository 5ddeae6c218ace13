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
  Generator(std::uint64_t seed, Backend backend, bool knows_has_include_next);

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
  Step meanwhile();

  std::string some_place();
  std::string some_file();
  void note(const Step& step);

  Random random_;
  const Backend backend_;
  SourceWriter writer_;
  Scenario scenario_;
  std::string here_ = "A";
  std::map<std::string, Text> files_;  // as far as is known: what links lead to is not followed
};

}  // namespace kiln::oracle
