#include "worker/own_headers.hpp"

#include "base/log.hpp"
#include "compile/request/bundled_headers.hpp"
#include "worker/folders/work_folder.hpp"
#include "worker/nvrtc/unpack_headers.hpp"

#include <kiln/error.hpp>

#include <memory>
#include <utility>

namespace kiln {

std::string give_own_headers(Request& request) try {
  static std::unique_ptr<const WorkFolder> unpacked;  // a worker has one thread
  if (!needs_bundled_headers(request)) return {};
  if (!unpacked) {
    auto folder = std::make_unique<const WorkFolder>("headers");
    unpack_headers(folder->path());
    unpacked = std::move(folder);
  }
  use_bundled_headers(request, unpacked->path());
  return {};
} catch (const Error& error) {
  log_message(LogLevel::warn, error.what());
  return error.what();
}

}  // namespace kiln
