#include "toolkit/driver/emulator_library.hpp"

#include "base/own_folder.hpp"
#include "base/path_text.hpp"
#include "toolkit/driver/driver.hpp"

namespace kiln {

namespace {

constexpr const char* emulator_file = "libkiln_emulator.so";

}  // namespace

std::vector<std::string> emulator_candidates() {
  std::vector<std::string> candidates;
  // As installed: beside libkiln.so, or in lib/ beside bin/. As built: lib/emulator/, beside lib/libkiln.so, or seen
  // from programs in tools/kiln/ and tests/unit/<room>/, into which Kiln is linked.
  if (!own_folder().empty())
    for (const char* folder : {".", KILN_LIB_FROM_BIN, "emulator", "../../lib/emulator", "../../../lib/emulator"})
      candidates.push_back((own_folder() / folder / emulator_file).lexically_normal().string());
  candidates.emplace_back(emulator_file);
  return candidates;
}

bool is_emulator(const std::string& path) { return file_name_of(path).rfind(emulator_file, 0) == 0; }

bool emulator_in_use() noexcept {
  const Driver* const driver = Driver::if_open();
  return driver != nullptr && is_emulator(driver->path);
}

}  // namespace kiln
