#include "compile/memory_code.hpp"

#include "cache/memory_tier.hpp"

#include <utility>

namespace kiln {

namespace {

struct Remembered {
  std::shared_ptr<const CodeData> code;
  Dependencies dependencies;
  Roots roots;
};

/// Never destroyed: modules of static lifetime may compile while the process exits.
MemoryTier<const Remembered>& tier() {
  constexpr std::size_t budget = std::size_t{256} << 20;
  static MemoryTier<const Remembered>& instance = *new MemoryTier<const Remembered>(budget);
  return instance;
}

}  // namespace

std::shared_ptr<const CodeData> recall_code(const std::string& identity) {
  const std::shared_ptr<const Remembered> found = tier().find(identity);
  if (!found || found->code->forgotten.load(std::memory_order_relaxed)) return nullptr;
  if (!unchanged(FileSystem::real(), found->roots, found->dependencies)) return nullptr;
  return found->code;
}

void remember_code(std::string identity, std::shared_ptr<const CodeData> code, Dependencies dependencies, Roots roots) {
  const std::size_t bytes = identity.size() + code->bytes.size() + code->log.size() + sizeof(Remembered);
  auto remembered =
      std::make_shared<const Remembered>(Remembered{std::move(code), std::move(dependencies), std::move(roots)});
  tier().insert(std::move(identity), std::move(remembered), bytes);
}

}  // namespace kiln
