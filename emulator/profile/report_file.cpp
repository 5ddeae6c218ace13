#include "emulator/profile/report_file.hpp"

#include "base/files.hpp"
#include "base/printable_text.hpp"
#include "emulator/core/log.hpp"
#include "emulator/core/settings.hpp"
#include "emulator/profile/json_report.hpp"
#include "emulator/profile/page/profile_page.hpp"
#include "emulator/profile/profile_store.hpp"
#include "emulator/profile/table_report.hpp"

#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

namespace kiln::emulator {
namespace {

constexpr const char* in_terminal = "-";

std::atomic<int> writing_process{0};

// The handler is inherited by a child of fork, whose launches are none of the emulator's.
void write_at_exit() {
  if (writing_process.load() != ::getpid()) return;
  if (Settings::get().profile == in_terminal) {
    try {
      const std::string table = printable_text(ProfileStore::get().locked(table_report));
      std::fflush(stdout);
      std::fwrite(table.data(), 1, table.size(), stderr);
    } catch (...) {  // no memory for the text
    }
    return;
  }
  write_profile_report();
}

// "%p" is the number of the process, so that several that run at the same time do not replace each other's reports.
std::string file_name(const std::string& setting) {
  std::string name = setting;
  const std::string process = std::to_string(::getpid());
  for (std::size_t at = name.find("%p"); at != name.npos; at = name.find("%p", at + process.size()))
    name.replace(at, 2, process);
  return name;
}

}  // namespace

void write_profile_report_at_exit() {
  const int process = ::getpid();
  if (writing_process.exchange(process) == process) return;
  if (std::atexit(write_at_exit) != 0) log("KILN_EMULATOR_PROFILE: there will be no report at the end of the process");
}

void write_profile_report() noexcept {
  const std::string& setting = Settings::get().profile;
  if (setting.empty() || setting == in_terminal) return;
  try {
    const std::string name = file_name(setting);
    const std::string json = ProfileStore::get().locked(json_report);
    const int result = write_named_file(name, name.ends_with(".html") ? profile_page(json) : json);
    if (result != 0) log("KILN_EMULATOR_PROFILE: cannot write " + name + ": " + std::strerror(-result));
  } catch (const std::exception& error) {
    log(std::string("KILN_EMULATOR_PROFILE: ") + error.what());
  }
}

}  // namespace kiln::emulator
