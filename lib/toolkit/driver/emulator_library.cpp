#include "toolkit/driver/emulator_library.hpp"

#include "base/own_folder.hpp"
#include "base/path_text.hpp"
#include "toolkit/driver/driver.hpp"

namespace kiln {

namespace {

constexpr const char* emulator_file = "libkiln_emulator.so";

// The file, or one of the two folders that a build has it in.
bool is_anothers(FileSystem& files, std::filesystem::path path) {
  for (int parts = 0; parts < 3; ++parts, path = path.parent_path()) {
    FileStatus status;
    if (files.link_status(path.string(), status) != 0) continue;
    if (status.owner != 0 && status.owner != files.user()) return true;
  }
  return false;
}

}  // namespace

std::vector<std::string> emulators_near(FileSystem& files, const std::filesystem::path& folder) {
  std::vector<std::string> found;
  // As installed: beside libkiln.so, or in lib/ beside bin/.
  for (const char* place : {".", KILN_LIB_FROM_BIN})
    found.push_back((folder / place / emulator_file).lexically_normal().string());
  // As built: emulator/, from lib/ and from programs in tools/kiln/ and tests/unit/<component>/, into which Kiln is
  // linked.
  for (const char* place : {"../emulator", "../../emulator", "../../../emulator"}) {
    const std::filesystem::path path = (folder / place / emulator_file).lexically_normal();
    if (!is_anothers(files, path)) found.push_back(path.string());
  }
  return found;
}

std::vector<std::string> emulator_candidates() {
  std::vector<std::string> candidates;
  if (!own_folder().empty()) candidates = emulators_near(FileSystem::real(), own_folder());
  candidates.emplace_back(emulator_file);
  return candidates;
}

bool is_emulator(const std::string& path) { return file_name_of(path).rfind(emulator_file, 0) == 0; }

bool emulator_in_use() noexcept {
  const Driver* const driver = Driver::if_open();
  return driver != nullptr && is_emulator(driver->path);
}

}  // namespace kiln
