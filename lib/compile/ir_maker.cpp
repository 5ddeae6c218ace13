#include "compile/ir_maker.hpp"

#include "base/keep_first.hpp"
#include "compile/identity/tool_digests.hpp"
#include "compile/link/linkers_here.hpp"
#include "toolkit/locate/component_finder.hpp"

#include <atomic>
#include <memory>
#include <utility>
#include <vector>

namespace kiln {

namespace {

constexpr std::string_view maker_prefix = "nvvm:";

/// A file that is looked for until it is found, once a process.
template <std::optional<std::string> (*find)()>
const std::string* found_file() {
  static std::atomic<const std::string*> known{nullptr};
  if (const std::string* path = known.load(std::memory_order_acquire)) return path;
  auto path = find();
  return path ? &keep_first(known, std::make_unique<const std::string>(*std::move(path))) : nullptr;
}

/// "+driver:13.0"; nothing where there is no driver either.
std::optional<std::string> identity_of_driver() {
  const LinkersHere here;
  if (!here.driver().version) return std::nullopt;
  return "+" + here.identity_of_driver().text;
}

}  // namespace

Backend ir_linker() { return found_file<find_nvjitlink>() != nullptr ? Backend::nvjitlink : Backend::driver; }

std::optional<std::string> ir_maker_here(const IrRequest& request, CacheFolder* cache) {
  std::vector<const std::string*> files{found_file<find_nvvm>()};
  if (!request.libdevice.empty()) files.push_back(found_file<find_libdevice>());
  const bool by_driver = request.wants_cubin && ir_linker() == Backend::driver;
  if (request.wants_cubin && !by_driver) files.push_back(found_file<find_nvjitlink>());
  std::vector<std::string> paths;
  for (const std::string* file : files) {
    if (file == nullptr) return std::nullopt;
    paths.push_back(*file);
  }
  const auto driver = by_driver ? identity_of_driver() : std::string();
  if (!driver) return std::nullopt;
  return std::string(maker_prefix) + tools_digest(FileSystem::real(), paths, cache) + *driver;
}

bool is_ir_maker(std::string_view maker) { return maker.starts_with(maker_prefix); }

}  // namespace kiln
