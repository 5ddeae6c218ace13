#include "compile/identity/compiler_identity.hpp"

#include "base/keep_first.hpp"
#include "toolkit/locate/library_identity.hpp"
#include "toolkit/locate/toolkit.hpp"

#include <atomic>

namespace kiln {

std::string nvrtc_identity(const std::string& nvrtc, const std::string& builtins) {
  std::string identity = library_identity(FileSystem::real(), nvrtc);
  if (!builtins.empty()) identity += "+" + library_identity(FileSystem::real(), builtins);
  return identity;
}

const std::string* find_compiler_identity() {
  static std::atomic<const std::string*> known{nullptr};
  if (const std::string* identity = known.load(std::memory_order_acquire)) return identity;
  const Toolkit& toolkit = current_toolkit();
  if (!toolkit.nvrtc) return nullptr;
  std::string identity = nvrtc_identity(*toolkit.nvrtc, toolkit.nvrtc_builtins.value_or(""));
  return &keep_first(known, std::make_unique<const std::string>(std::move(identity)));
}

}  // namespace kiln
