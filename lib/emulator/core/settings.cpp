#include "emulator/core/settings.hpp"

#include "base/environment.hpp"
#include "base/text_parts.hpp"

#include <sched.h>

#include <algorithm>
#include <charconv>
#include <system_error>
#include <thread>

namespace kiln::emulator {
namespace {

// Not strtod: in a locale with a decimal comma it does not read "0.5".
double seconds(const std::string& text) {
  double value = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  return read.ec == std::errc() && *read.ptr == '\0' && value > 0 ? value : 0;
}

unsigned whole_number(const std::string& text) {
  unsigned value = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  return read.ec == std::errc() && *read.ptr == '\0' ? value : 0;
}

unsigned usable_cores() {
  cpu_set_t usable;
  CPU_ZERO(&usable);
  if (::sched_getaffinity(0, sizeof(usable), &usable) == 0)
    return static_cast<unsigned>(std::max(CPU_COUNT(&usable), 1));
  return std::max(std::thread::hardware_concurrency(), 1u);
}

Settings from_environment() {
  Settings made;
  for (const std::string& check : split(environment("KILN_EMULATOR_CHECK").value_or(""), ',')) {
    if (check == "race") made.check_race = true;
    if (check == "init") made.check_init = true;
    if (check == "divergence") made.check_divergence = true;
  }
  made.trace = environment("KILN_EMULATOR_TRACE").value_or("");
  made.time_limit = seconds(environment("KILN_EMULATOR_TIME_LIMIT").value_or("0"));
  made.cores = whole_number(environment("KILN_EMULATOR_CORES").value_or("0"));
  if (made.cores == 0) made.cores = usable_cores();
  return made;
}

}  // namespace

Settings& Settings::changeable() {
  static Settings settings = from_environment();
  return settings;
}

}  // namespace kiln::emulator
