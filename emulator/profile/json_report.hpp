// The profile of a process as JSON: docs/emulator.md describes it.
#pragma once

#include <string>

namespace kiln::emulator {

class ProfileStore;

std::string json_report(const ProfileStore& store);

}  // namespace kiln::emulator
