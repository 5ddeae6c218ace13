// Where the report of KILN_EMULATOR_PROFILE goes.
#pragma once

namespace kiln::emulator {

/// Has the report written when the process ends normally. May be called again.
void write_profile_report_at_exit();
/// Writes the report of the launches until now. A failure is logged.
void write_profile_report() noexcept;

}  // namespace kiln::emulator
