#include "compile/worker_program.hpp"

#include "base/environment.hpp"
#include "base/fork_safe_instance.hpp"
#include "base/shared_library.hpp"
#include "toolkit/toolkit_places.hpp"

#include <filesystem>
#include <system_error>

namespace kiln {

namespace {

namespace fs = std::filesystem;

/// The folder of the library, or the program, that Kiln is in.
fs::path own_folder() {
  std::error_code error;
  const std::string library = own_library();
  const fs::path file = library.empty() ? fs::read_symlink("/proc/self/exe", error) : fs::canonical(library, error);
  return error ? fs::path() : file.parent_path();
}

/// Asked for once: the working folder, from which a library's path may count, can change.
struct OwnFolder {
  fs::path path = own_folder();
};

}  // namespace

std::optional<std::string> find_worker_program() {
  std::error_code error;
  if (const auto chosen = environment("KILN_WORKER")) {
    const fs::path path = fs::absolute(*chosen, error);
    return !error && is_program(path) ? std::optional<std::string>(path.string()) : std::nullopt;
  }
  const fs::path& folder = fork_safe_instance<OwnFolder>().path;
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
