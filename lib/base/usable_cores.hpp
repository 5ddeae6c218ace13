// How many cores this process may use.
#pragma once

#include <optional>
#include <string>

namespace kiln {

/// The cores of which a quota lets this process use so much: a part of one counts as one.
unsigned cores_within(unsigned cores, std::optional<double> quota);

/// The cores that the calling thread, and what it starts, may use: as affinity allows, and no more than a quota of CPU
/// time lets run at once. At least 1. The quota is looked up once in a process.
unsigned usable_cores();

/// The cores' worth of CPU time that the process's control groups allow, as containers set it: the least of the quotas
/// of its group and of those above, of version 1 or 2; nothing without one. Paths begin with `root`.
std::optional<double> cpu_quota(const std::string& root = {});

}  // namespace kiln
