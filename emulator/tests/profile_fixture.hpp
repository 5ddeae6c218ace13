// Launches with a profile, and what was counted.
#pragma once

#include "emulator/core/settings.hpp"
#include "emulator/profile/advice.hpp"
#include "emulator/profile/profile_store.hpp"
#include "emulator/profile/report_rows.hpp"

#include "run_ptx.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace kiln::emulator {

/// While it exists, launches are counted, from nothing on; the process writes no report.
class ProfileScope {
 public:
  ProfileScope() {
    ProfileStore::get().clear();
    Settings::changeable().profile = "-";
  }
  ~ProfileScope() {
    Settings::changeable().profile.clear();
    ProfileStore::get().clear();
  }
  ProfileScope(const ProfileScope&) = delete;
  ProfileScope& operator=(const ProfileScope&) = delete;

  const LaunchEntry& entry(std::size_t number = 0) const {
    REQUIRE(ProfileStore::get().entries().size() > number);
    return ProfileStore::get().entries()[number];
  }
  Counters total(std::size_t number = 0) const { return total_of(rows_of(entry(number))); }
};

/// The row of the only instruction whose text begins so.
inline const InstructionCounts& row_named(const LaunchEntry& entry, std::string_view beginning) {
  const InstructionCounts* found = nullptr;
  for (const InstructionCounts* const row : rows_of(entry)) {
    if (!row->text.starts_with(beginning)) continue;
    REQUIRE(found == nullptr);
    found = row;
  }
  REQUIRE_MESSAGE(found != nullptr, std::string(beginning));
  return *found;
}

struct Counted {
  std::uint64_t requests, units, ideal, extra, thread_bytes;
  bool operator==(const Counted&) const = default;
};
inline Counted counted(const Counters& counters, Counter first, Operation operation = Operation::load) {
  const auto value = [&](AccessCounter what) { return counters[counter_of(first, operation, what)]; };
  return {value(AccessCounter::requests), value(AccessCounter::units), value(AccessCounter::ideal),
          value(AccessCounter::extra), value(AccessCounter::thread_bytes)};
}
inline std::ostream& operator<<(std::ostream& out, const Counted& all) {
  return out << all.requests << " requests, " << all.units << " of " << all.ideal << " units, extra " << all.extra
             << ", " << all.thread_bytes << " bytes";
}

}  // namespace kiln::emulator
