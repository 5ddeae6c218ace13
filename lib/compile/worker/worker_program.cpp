#include "compile/worker/worker_program.hpp"

#include "base/environment.hpp"
#include "base/file_system.hpp"
#include "base/own_folder.hpp"
#include "cache/trust.hpp"
#include "compile/worker/worker_start.hpp"
#include "toolkit/locate/library_identity.hpp"
#include "toolkit/locate/toolkit_places.hpp"

#include <kiln/error.hpp>

#include <filesystem>
#include <system_error>

namespace kiln {

namespace fs = std::filesystem;

namespace {

bool is_of_this_build(const std::string& program) try {
  return library_identity(FileSystem::real(), program) == worker_image_identity();
} catch (const Error&) {
  return false;
}

bool is_own_or_roots(const std::string& path) {
  FileSystem& files = FileSystem::real();
  FileStatus status;
  return files.link_status(path, status) == 0 && trust_of({}).objection(files, status).empty();
}

}  // namespace

std::optional<std::string> usable_worker(const std::string& path) {
  if (!is_program(path)) return std::nullopt;
  std::optional<std::string> program = resolved(path);
  if (!program || !is_own_or_roots(*program) || !is_own_or_roots(fs::path(*program).parent_path().string()) ||
      !is_of_this_build(*program))
    return std::nullopt;
  return program;
}

std::optional<std::string> find_worker_program() {
  std::error_code error;
  if (const auto chosen = environment("KILN_WORKER")) {
    const fs::path path = fs::absolute(*chosen, error);
    return !error && is_program(path) ? std::optional<std::string>(path.string()) : std::nullopt;
  }
  const fs::path& folder = own_folder();
  for (const char* place : {KILN_WORKER_FROM_LIB, KILN_WORKER_FROM_BIN}) {
    if (folder.empty()) break;
    if (auto program = usable_worker((folder / place).lexically_normal().string())) return program;
  }
  if (worker_image().empty()) return std::nullopt;
  return std::string(carried_worker);
}

}  // namespace kiln
