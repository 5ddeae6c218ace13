// The way of a request: memory, disk, compiler; and back onto disk and into memory.
#include <kiln/compile.hpp>

#include "base/environment.hpp"
#include "base/log.hpp"
#include "cache/location.hpp"
#include "cache/store.hpp"
#include "compile/code_sections.hpp"
#include "compile/compiler.hpp"
#include "compile/memory_code.hpp"
#include "compile/option_list.hpp"
#include "compile/places.hpp"
#include "compile/request.hpp"
#include "toolkit/driver.hpp"

#include <kiln/error.hpp>

#include <algorithm>
#include <atomic>

namespace kiln {

namespace {

/// The store that a request is to use, or null.
CacheStore* store_for(const CompileOptions& options) {
  if (const auto location = cache_location(options.cache_dir)) return &CacheStore::at(*location);
  static std::atomic<bool> warned{false};
  if (!warned.exchange(true))
    log_message(
        LogLevel::warn,
        "no folder to keep compiled code in: KILN_CACHE_DIR, PYCUDA_CACHE_DIR, XDG_CACHE_HOME and HOME are all unset "
        "(or relative, for the last two). Kiln goes on without it, and compiles again in the next process. Set "
        "KILN_CACHE_DIR, or KILN_DISABLE_CACHE=1");
  return nullptr;
}

void inform(const Request& request, const std::string& what) {
  if (log_enabled(LogLevel::info)) log_message(LogLevel::info, request.job.name + ": " + what);
}

std::shared_ptr<CodeData> look_up(CacheStore& store, const Request& request, Dependencies& dependencies) {
  auto hit = store.look_up(request.key, request.may_include, request.search.roots);
  if (!hit) return nullptr;
  std::shared_ptr<CodeData> code = from_sections(std::move(hit->sections));
  if (!code) {
    store.drop(hit->key);
    return nullptr;
  }
  code->cache_key = hit->key;
  code->cache_dir = store.directory();
  dependencies = std::move(hit->dependencies);
  return code;
}

struct Compiled {
  std::shared_ptr<CodeData> code;
  HeaderReport headers;
};

Compiled run_compiler(Request& request, bool keep) {
  FileSystem& files = FileSystem::real();
  const std::int64_t start_ns = files.now_ns();
  const NvrtcLibrary& nvrtc = NvrtcLibrary::get();
  const Arch arch = choose_arch(request, nvrtc);
  request.job.arch = arch.text();
  if (request.job.target == Target::cubin && !arch.real) request.job.target = Target::ptx;
  request.job.trace_headers = request.may_include && keep;
  if (!request.explicit_arch && request.device.arch.empty())
    inform(request, "no device and no arch given: compiling for " + arch.text() + ", the lowest that " +
                        nvrtc_title(nvrtc) + " makes");
  NvrtcOutput output = compile_with_nvrtc(nvrtc, request.job);
  if (log_enabled(LogLevel::debug)) {
    std::string options;
    for (const std::string& option : output.options) options += " " + option;
    log_message(LogLevel::debug, request.job.name + ": compiled by " + nvrtc_title(nvrtc) + " with" + options);
  }
  Compiled compiled;
  compiled.code = std::make_shared<CodeData>();
  compiled.code->own(std::move(output.code));
  compiled.code->target = request.job.target;
  compiled.code->arch = request.job.arch;
  compiled.code->log = std::move(output.log);
  compiled.code->lowered_names = std::move(output.lowered_names);
  if (keep && request.may_include) {
    compiled.headers =
        find_dependencies(files, request.search, request.job.source, output.headers, request.strict_headers, start_ns);
    note_places(compiled.headers, request.search, request.job.target, compiled.code->bytes);
  }
  return compiled;
}

/// Compiles and keeps the result where it may be kept.
CodeObject compile_anew(Request& request, CacheStore* store, std::string identity,
                        const std::shared_ptr<const Recipe>& recipe, bool use_memory) {
  Compiled compiled = run_compiler(request, use_memory && request.refusal.empty());
  compiled.code->recipe = recipe;
  if (store != nullptr) store->count(Counter::compiles);
  const std::string& refusal = request.refusal.empty() ? compiled.headers.refusal : request.refusal;
  if (use_memory && !refusal.empty()) {
    if (store != nullptr) store->count(Counter::refused);
    inform(request, "compiled for " + compiled.code->arch + ", and not kept: " + refusal);
  } else {
    inform(request, "compiled for " + compiled.code->arch);
    if (store != nullptr) {
      compiled.code->cache_key = store->put(request.key, request.may_include, compiled.headers.dependencies,
                                            request.search.roots, to_sections(*compiled.code));
      compiled.code->cache_dir = store->directory();
    }
    if (use_memory)
      remember_code(std::move(identity), compiled.code, std::move(compiled.headers.dependencies), request.search.roots);
  }
  return CodeObject(std::move(compiled.code), false);
}

CodeObject find_or_compile(std::string_view source, const CompileOptions& options, const DeviceWish& device) {
  const bool cached = options.cache && !cache_disabled();
  std::string identity;
  if (cached) {
    identity = request_identity(source, options, device);
    if (auto known = recall_code(identity)) return CodeObject(std::move(known), true);
  }
  Request request = make_request(source, options, device);
  auto recipe = std::make_shared<const Recipe>(Recipe{std::string(source), options});
  CacheStore* store = cached ? store_for(options) : nullptr;
  if (store != nullptr && request.refusal.empty()) {
    Dependencies dependencies;
    if (std::shared_ptr<CodeData> code = look_up(*store, request, dependencies)) {
      code->recipe = std::move(recipe);
      inform(request, "found in the cache, for " + code->arch);
      remember_code(std::move(identity), code, std::move(dependencies), request.search.roots);
      return CodeObject(std::move(code), true);
    }
  }
  return compile_anew(request, store, std::move(identity), recipe, cached);
}

/// The architectures of KILN_ARCH, for machines without the target GPU.
std::vector<std::string> arches_of_environment() {
  std::string text = environment("KILN_ARCH").value_or("");
  std::replace(text.begin(), text.end(), ',', ' ');
  return split_options(text);
}

}  // namespace

CodeObject compile_for(std::string_view source, const CompileOptions& options, const std::string& device_arch,
                       bool loads_cubin) {
  if (!options.arch.empty() || !device_arch.empty())
    return find_or_compile(source, options, {device_arch, loads_cubin});
  if (const auto initialised = initialised_device_arch())
    return find_or_compile(source, options, {"sm_" + std::to_string(*initialised), loads_cubin});
  const std::vector<std::string> arches = arches_of_environment();
  if (arches.empty()) return find_or_compile(source, options, {{}, loads_cubin});
  // A login node warms the cache for every kind of node; the first kind's code is the answer.
  std::optional<CodeObject> first;
  for (const std::string& arch : arches) {
    CodeObject code = find_or_compile(source, options, {parse_arch(arch).text(), loads_cubin});
    if (!first) first = std::move(code);
  }
  return *first;
}

CodeObject compile(std::string_view source, const CompileOptions& options) {
  return compile_for(source, options, {}, true);
}

void forget(const CodeObject& code) {
  code.data()->forgotten.store(true, std::memory_order_relaxed);
  if (code.data()->cache_key) CacheStore::at(code.data()->cache_dir).drop(*code.data()->cache_key);
}

}  // namespace kiln
