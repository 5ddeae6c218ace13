#include "base/own_folder.hpp"

#include "base/fork_safe_instance.hpp"
#include "base/shared_library.hpp"

#include <string>
#include <system_error>

namespace kiln {

namespace {

namespace fs = std::filesystem;

fs::path find_own_folder() {
  std::error_code error;
  const std::string library = own_library();
  const fs::path file = library.empty() ? fs::read_symlink("/proc/self/exe", error) : fs::canonical(library, error);
  return error ? fs::path() : file.parent_path();
}

/// Asked for once: the working folder, from which a library's path may count, can change.
struct OwnFolder {
  fs::path path = find_own_folder();
};

}  // namespace

const fs::path& own_folder() { return fork_safe_instance<OwnFolder>().path; }

}  // namespace kiln
