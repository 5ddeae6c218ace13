#include "compile/identity/compiler_identity.hpp"

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
  // Never destroyed: compiles may run while the process exits. Two threads may both find it; one keeps its own.
  static std::atomic<const std::string*> known{nullptr};
  if (const std::string* identity = known.load(std::memory_order_acquire)) return identity;
  const Toolkit& toolkit = current_toolkit();
  if (!toolkit.nvrtc) return nullptr;
  const std::string* fresh = new std::string(nvrtc_identity(*toolkit.nvrtc, toolkit.nvrtc_builtins.value_or("")));
  const std::string* expected = nullptr;
  if (known.compare_exchange_strong(expected, fresh, std::memory_order_acq_rel)) return fresh;
  delete fresh;
  return expected;
}

}  // namespace kiln
