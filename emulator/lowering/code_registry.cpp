#include "emulator/lowering/code_registry.hpp"

#include "base/fork_safe_instance.hpp"
#include "emulator/memory/windows.hpp"

#include <mutex>
#include <shared_mutex>

namespace kiln::emulator {
namespace {

constexpr std::uint64_t code_step = 16;  // between two functions' addresses

struct Registry {
  std::shared_mutex mutex;
  std::vector<const Code*> codes{nullptr};  // so that no function has the first address of the window
};

Registry& registry() { return fork_safe_instance<Registry>(); }

}  // namespace

void register_code(Code& code) {
  const std::unique_lock lock(registry().mutex);
  code.number = static_cast<std::uint32_t>(registry().codes.size());
  registry().codes.push_back(&code);
}

void unregister_code(const Code& code) noexcept {
  if (code.number == 0) return;
  const std::unique_lock lock(registry().mutex);
  registry().codes[code.number] = nullptr;
}

std::uint64_t address_of(const Code& code) { return code_window + code_step * code.number; }

const Code* code_at(std::uint64_t address) {
  if (!in_window(address, code_window) || address % code_step != 0) return nullptr;
  const std::shared_lock lock(registry().mutex);
  const std::uint64_t number = (address - code_window) / code_step;
  return number < registry().codes.size() ? registry().codes[number] : nullptr;
}

}  // namespace kiln::emulator
