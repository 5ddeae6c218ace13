// The way of a request: memory, disk, compiler; and back onto disk and into memory.
#include <kiln/compile.hpp>

#include "base/environment.hpp"
#include "base/fork_safe_instance.hpp"
#include "base/log.hpp"
#include "cache/location.hpp"
#include "cache/single_flight.hpp"
#include "compile/code_cache.hpp"
#include "compile/compiler.hpp"
#include "compile/compiler_identity.hpp"
#include "compile/make_code.hpp"
#include "compile/memory_code.hpp"
#include "compile/option_list.hpp"
#include "compile/request.hpp"
#include "toolkit/driver.hpp"
#include "toolkit/nvrtc_library.hpp"
#include "toolkit/toolkit.hpp"

#include <kiln/error.hpp>

#include <algorithm>
#include <utility>

namespace kiln {

namespace {

/// One request on its way, where it may be cached.
class Search {
 public:
  Search(std::string_view source, const CompileOptions& options, Request request)
      : request_(std::move(request)),
        cache_(options),
        recipe_(std::make_shared<const Recipe>(Recipe{std::string(source), options})) {}

  bool is_refused() const noexcept { return !request_.refusal.empty(); }

  /// From disk or from the compiler; what may be kept is kept, in memory by that identity.
  CodeObject find_or_make(const std::string& identity) {
    if (auto found = cache_.find(request_)) return remember(identity, std::move(*found));
    Turn turn(FileSystem::real());
    if (auto found = cache_.take_turn(request_, turn)) return remember(identity, std::move(*found));
    cache_.count(Counter::misses);
    explain();
    try {
      CodeObject code = make(identity);
      if (!kept_) cache_.give_up(request_, turn);
      return code;
    } catch (...) {
      cache_.give_up(request_, turn);
      throw;
    }
  }

  /// Only what the caches hold.
  std::optional<CodeObject> find(const std::string& identity) {
    if (auto found = cache_.find(request_)) return remember(identity, std::move(*found));
    return std::nullopt;
  }

  /// What must not be kept is compiled for each who asks.
  CodeObject make_unkept() {
    MadeCode made = make_code(request_, false);
    cache_.count(Counter::compiles);
    return refuse(std::move(made.code), request_.refusal);
  }

 private:
  CodeObject remember(const std::string& identity, FoundCode found) {
    found.code->recipe = recipe_;
    inform(request_, "found in the cache, for " + found.code->arch);
    remember_code(identity, found.code, std::move(found.dependencies), request_.search.roots);
    return CodeObject(std::move(found.code), true);
  }

  CodeObject make(const std::string& identity) {
    MadeCode made = make_code(request_, true);
    cache_.count(Counter::compiles);
    if (!made.headers.refusal.empty()) return refuse(std::move(made.code), made.headers.refusal);
    made.code->recipe = recipe_;
    inform(request_, "compiled for " + made.code->arch);
    kept_ = cache_.keep(request_, *made.code, made.headers.dependencies);
    remember_code(identity, made.code, std::move(made.headers.dependencies), request_.search.roots);
    return CodeObject(std::move(made.code), false);
  }

  void explain() const {
    if (!log_enabled(LogLevel::info)) return;
    for (const std::string& reason : cache_.explain(request_)) inform(request_, "not in the cache: " + reason);
  }

  CodeObject refuse(std::shared_ptr<CodeData> code, const Refusal& why) {
    code->recipe = recipe_;
    cache_.count(why.counter);
    cache_.count(Counter::refused);
    inform(request_, "compiled for " + code->arch + ", and not kept: " + why.text);
    return CodeObject(std::move(code), false);
  }

  Request request_;
  CodeCache cache_;
  std::shared_ptr<const Recipe> recipe_;
  bool kept_ = false;  // on disk, by this search
};

CodeObject make_uncached(std::string_view source, const CompileOptions& options, const DeviceWish& device) {
  Request request = make_request(source, options, device);
  MadeCode made = make_code(request, false);
  made.code->recipe = std::make_shared<const Recipe>(Recipe{std::string(source), options});
  inform(request, "compiled for " + made.code->arch);
  return CodeObject(std::move(made.code), false);
}

/// On a machine without a compiler: what a cache holds serves, whichever compiler it is of.
CodeObject find_without_compiler(std::string_view source, const CompileOptions& options, const DeviceWish& device,
                                 const std::string& identity) {
  CodeCache cache(options);
  for (const std::string& maker : cache.makers()) {
    Search search(source, options, make_request(source, options, device, maker));
    if (auto found = search.find(identity)) return *std::move(found);
  }
  cache.count(Counter::misses);
  std::string searched;
  for (const std::string& folder : cache.folders()) searched += (searched.empty() ? "" : ", ") + folder;
  throw_no_nvrtc(current_toolkit(), searched.empty() ? "" : ", and no code for this request in the cache " + searched);
}

CodeObject find_or_compile(std::string_view source, const CompileOptions& options, const DeviceWish& device) {
  if (!options.cache || cache_disabled()) return make_uncached(source, options, device);
  const std::string identity = request_identity(source, options, device);
  std::optional<CodeObject> result;
  for (bool waited = false; !result;) {
    if (auto known = recall_code(identity)) return CodeObject(std::move(known), true);
    if (find_compiler_identity() == nullptr) return find_without_compiler(source, options, device, identity);
    Search search(source, options, make_request(source, options, device));
    if (search.is_refused()) return search.make_unkept();
    // One who waited looks again, because a header may have changed since the other looked at it.
    // What is not in memory then must not be kept, so that waiting again would be in vain.
    const auto work = [&] { result = search.find_or_make(identity); };
    waited ? work() : static_cast<void>(waited = !fork_safe_instance<SingleFlight>().run(identity, work));
  }
  return *std::move(result);
}

/// The architectures of KILN_ARCH, for machines without the target GPU.
std::vector<std::string> arches_of_environment() {
  std::string text = environment("KILN_ARCH").value_or("");
  std::replace(text.begin(), text.end(), ',', ' ');
  return split_options(text);
}

/// What to compile for: one device's code, unless KILN_ARCH names several.
std::vector<DeviceWish> devices_for(const CompileOptions& options, const CompileWish& wish) {
  const auto device = [&](std::string arch) { return DeviceWish{std::move(arch), wish.loads_cubin, wish.in_worker}; };
  if (!options.arch.empty() || !wish.device_arch.empty()) return {device(wish.device_arch)};
  if (const auto initialised = initialised_device_arch()) return {device("sm_" + std::to_string(*initialised))};
  std::vector<DeviceWish> devices;
  for (const std::string& arch : arches_of_environment()) devices.push_back(device(parse_arch(arch).text()));
  if (devices.empty()) devices.push_back(device({}));
  return devices;
}

}  // namespace

CodeObject compile_for(std::string_view source, const CompileOptions& options, const CompileWish& wish) {
  // A login node warms the cache for every kind of node; the first kind's code is the answer.
  std::optional<CodeObject> first;
  for (const DeviceWish& device : devices_for(options, wish)) {
    CodeObject code = find_or_compile(source, options, device);
    if (!first) first = std::move(code);
  }
  return *first;
}

std::optional<CodeObject> find_code_for(std::string_view source, const CompileOptions& options,
                                        const CompileWish& wish) {
  const std::vector<DeviceWish> devices = devices_for(options, wish);
  if (devices.size() != 1 || !options.cache || cache_disabled()) return std::nullopt;
  const std::string identity = request_identity(source, options, devices.front());
  if (auto known = recall_code(identity)) return CodeObject(std::move(known), true);
  if (find_compiler_identity() == nullptr) return std::nullopt;
  Search search(source, options, make_request(source, options, devices.front()));
  return search.is_refused() ? std::nullopt : search.find(identity);
}

CodeObject compile_for(std::string_view source, const CompileOptions& options, const std::string& device_arch,
                       bool loads_cubin) {
  return compile_for(source, options, CompileWish{device_arch, loads_cubin});
}

CodeObject compile(std::string_view source, const CompileOptions& options) {
  return compile_for(source, options, {}, true);
}

void forget(const CodeObject& code) {
  code.data()->forgotten.store(true, std::memory_order_relaxed);
  if (code.data()->store != nullptr) code.data()->store->drop(code.data()->store_key);
}

}  // namespace kiln
