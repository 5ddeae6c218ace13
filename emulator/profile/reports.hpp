// The profile of a process as a table for a terminal, and the file that it is written to.
#pragma once

#include <string>

namespace kiln::emulator {

class ProfileStore;

std::string table_report(const ProfileStore& store);

/// Has the report written when the process ends normally. May be called again.
void write_profile_report_at_exit();
/// Writes the report of the launches until now. A failure is logged.
void write_profile_report() noexcept;

}  // namespace kiln::emulator
