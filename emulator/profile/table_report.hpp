// The profile of a process as a table for a terminal.
#pragma once

#include <string>

namespace kiln::emulator {

class ProfileStore;

std::string table_report(const ProfileStore& store);

}  // namespace kiln::emulator
