#include "emulator/core/settings.hpp"

#include "base/environment.hpp"
#include "base/path_text.hpp"
#include "base/text_parts.hpp"
#include "base/usable_cores.hpp"
#include "emulator/core/call_error.hpp"
#include "emulator/core/read_number.hpp"

#include <algorithm>

namespace kiln::emulator {
namespace {

void say_wrong(const char* variable, const std::string& value, const std::string& what) {
  log(std::string(variable) + "=" + value + what);
}

void read_checks(Settings& made) {
  const char* const variable = "KILN_EMULATOR_CHECK";
  const std::string value = environment(variable).value_or("");
  for (const std::string& part : split(value, ',')) {
    const std::string_view check = trimmed(part);
    if (check == "race")
      made.check_race = true;
    else if (check == "init")
      made.check_init = true;
    else if (check == "divergence")
      made.check_divergence = true;
    else
      say_wrong(variable, value,
                ": there is no check \"" + std::string(check) + "\"; the checks are race, init and divergence");
  }
}

std::optional<TracedThread> read_trace() {
  const char* const variable = "KILN_EMULATOR_TRACE";
  const auto value = environment(variable);
  if (!value) return std::nullopt;
  auto trace = read_traced_thread(*value);
  if (!trace)
    say_wrong(variable, *value,
              " is no kernel:block:thread, such as shift:0:31 or shift:1,0,0:4,2,0: nothing is traced");
  return trace;
}

double read_time_limit() {
  const char* const variable = "KILN_EMULATOR_TIME_LIMIT";
  const auto value = environment(variable);
  if (!value) return 0;
  const auto seconds = read_number<double>(*value);
  if (seconds && *seconds >= 0) return *seconds;
  say_wrong(variable, *value, " is no number of seconds, such as 120 or 0.5: launches have no limit");
  return 0;
}

unsigned read_cores() {
  const char* const variable = "KILN_EMULATOR_CORES";
  const unsigned usable = usable_cores();
  const auto value = environment(variable);
  if (!value) return usable;
  if (const auto cores = read_number<unsigned>(*value); cores && *cores > 0) return *cores;
  say_wrong(variable, *value,
            " is no whole number from 1: blocks run side by side on all cores, " + std::to_string(usable));
  return usable;
}

// The program may change its working folder.
std::string read_profile() {
  const std::string value = environment("KILN_EMULATOR_PROFILE").value_or("");
  return value.empty() || value == "-" ? value : joined(working_folder(), value);
}

// "3" is a number, "3,0,1" a position.
bool read_place(std::string_view text, std::vector<std::uint64_t>& place) {
  for (bool goes_on = true; goes_on;) {
    goes_on = text.find(',') != text.npos;
    const auto number = read_number<std::uint64_t>(next_part(text, ','));
    if (!number) return false;
    place.push_back(*number);
  }
  return place.size() == 1 || place.size() == 3;
}

}  // namespace

std::optional<TracedThread> read_traced_thread(std::string_view text) {
  // A kernel's name may contain colons.
  const std::size_t last = text.rfind(':');
  if (last == text.npos || last == 0) return std::nullopt;
  const std::size_t middle = text.rfind(':', last - 1);
  if (middle == text.npos || middle == 0) return std::nullopt;
  TracedThread made{std::string(text.substr(0, middle)), {}, {}};
  if (!read_place(text.substr(middle + 1, last - middle - 1), made.block)) return std::nullopt;
  if (!read_place(text.substr(last + 1), made.thread)) return std::nullopt;
  return made;
}

Settings Settings::from_environment() {
  Settings made;
  read_checks(made);
  made.trace = read_trace();
  made.time_limit = read_time_limit();
  made.cores = read_cores();
  made.profile = read_profile();
  return made;
}

Settings& Settings::changeable() {
  static Settings settings = from_environment();
  return settings;
}

}  // namespace kiln::emulator
