#include "compile/store/memory_code.hpp"

#include "base/fork_safe_instance.hpp"
#include "base/passkey.hpp"
#include "cache/memory_tier.hpp"
#include "cache/single_flight.hpp"
#include "compile/compiler/stopped.hpp"

#include <kiln/error.hpp>

#include <optional>
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
  if (unchanged(FileSystem::real(), found->roots, found->dependencies)) return found->code;
  Dependencies now = found->dependencies;
  if (!has_only_folder_changes(FileSystem::real(), found->roots, now)) return nullptr;
  remember_code(identity, found->code, std::move(now), found->roots);
  return found->code;
}

CodeObject recall_or_get(const std::string& identity, const std::string& name, const Stop& stop,
                         const std::function<CodeObject()>& get) {
  std::optional<CodeObject> result;
  for (bool waited = false; !result;) {
    if (auto known = recall_code(identity)) return CodeObject(passkey, std::move(known), true);
    if (stop.is_due()) throw_stopped(name, stop);
    bool worked = false;
    const auto work = [&] {
      worked = true;
      result = get();
    };
    try {
      if (waited)
        work();
      else
        waited = !fork_safe_instance<SingleFlight>().run(identity, work, stop);
    } catch (const CompileStopped&) {
      if (worked || stop.is_due()) throw;
      // The one that this one waited for was ended by its own limit.
    }
  }
  return *std::move(result);
}

void remember_code(std::string identity, std::shared_ptr<const CodeData> code, Dependencies dependencies, Roots roots) {
  const std::size_t bytes = identity.size() + code->bytes.size() + code->log.size() + sizeof(Remembered);
  auto remembered =
      std::make_shared<const Remembered>(Remembered{std::move(code), std::move(dependencies), std::move(roots)});
  tier().insert(std::move(identity), std::move(remembered), bytes);
}

}  // namespace kiln
