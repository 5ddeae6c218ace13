#include "compile/worker_program.hpp"

#include "base/environment.hpp"
#include "base/own_folder.hpp"
#include "toolkit/toolkit_places.hpp"

#include <filesystem>
#include <system_error>

namespace kiln {

namespace fs = std::filesystem;

std::optional<std::string> find_worker_program() {
  std::error_code error;
  if (const auto chosen = environment("KILN_WORKER")) {
    const fs::path path = fs::absolute(*chosen, error);
    return !error && is_program(path) ? std::optional<std::string>(path.string()) : std::nullopt;
  }
  const fs::path& folder = own_folder();
  if (folder.empty()) return std::nullopt;
  // Beside lib/ and bin/ as installed; beside lib/libkiln.so and tools/kiln/kiln as built.
  for (const char* place :
       {KILN_WORKER_FROM_LIB, KILN_WORKER_FROM_BIN, "../tools/worker/kiln-worker", "../worker/kiln-worker"}) {
    const fs::path path = (folder / place).lexically_normal();
    if (is_program(path)) return path.string();
  }
  return std::nullopt;
}

}  // namespace kiln
