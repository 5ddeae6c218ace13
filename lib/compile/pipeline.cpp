// The way of a request, top to bottom. Of a source and of LLVM IR: compile_for. Of a link, which has other options:
// from from_memory_or on (link.cpp).
#include "compile/pipeline.hpp"

#include "base/argument_error.hpp"
#include "base/log.hpp"
#include "base/passkey.hpp"
#include "cache/location.hpp"
#include "compile/compile_contexts.hpp"
#include "compile/compiler.hpp"
#include "compile/compiler/inform.hpp"
#include "compile/compiler/stopped.hpp"
#include "compile/compiler_selection.hpp"
#include "compile/headers/called_headers.hpp"
#include "compile/record/record.hpp"

#include <kiln/error.hpp>

#include <string>
#include <string_view>
#include <utility>

namespace kiln {

namespace {

Stop stop_of(const CompileOptions& options) {
  Stop stop;
  stop.cancel = options.cancel;
  stop.limit = options.timeout;
  if (options.timeout.count() > 0) stop.deadline = Stop::Clock::now() + options.timeout;
  return stop;
}

void log_uncached(const std::string& name, const CompileOptions& options) {
  if (!log_enabled(LogLevel::info)) return;
  const char* const reason = cache_disabled() ? "KILN_DISABLE_CACHE or PYCUDA_DISABLE_CACHE is set"
                             : options.keep   ? "its working folder is to be kept"
                                              : "its options switch the cache off";
  log_message(LogLevel::info, name + ": not looked up in the cache: " + reason);
}

/// For one device, and with all headers.
CodeObject compile_one(std::string_view source, const CompileOptions& options, const CompileContext& context,
                       const Stop& stop) {
  const std::string_view name = options.name.empty() ? std::string_view(default_source_name) : options.name;
  return with_timing({"compile", name, options.timing}, [&](CallTiming* timing) {
    const bool is_kept = is_cacheable(options);
    const auto compile = [&] {
      CompileInput input{source, options, context, stop, {}, timing};
      if (is_kept)
        input.identity = request_identity(source, options, context);
      else
        log_uncached(std::string(name), options);
      return from_memory_or(input.identity, options.name, stop, options.caching, [&](CodeCache& cache) {
        return CompilerSelection(input, cache).compile();  // CachedCompile::run, of one compiler or two
      });
    };
    if (!is_kept) return compile();
    return with_record(compile, [&] { record(source_record(source, options, context)); });
  });
}

/// For messages: nothing where it is not known.
std::string for_arch(const char* before, const CodeData& code) { return code.arch.empty() ? "" : before + code.arch; }

}  // namespace

CodeObject compile_for(std::string_view source, const CompileOptions& options, const CompileContext& context) {
  require_timeout(options);
  const CalledOptions called(source, options);  // the headers from callbacks
  const Stop stop = stop_of(options);
  std::optional<CodeObject> first;
  for_each_context(called.get(), context, [&](const CompileContext& one) {
    CodeObject code = compile_one(source, called.get(), one, stop);
    if (!first) first = std::move(code);
  });
  return *std::move(first);
}

CodeObject from_memory_or(const std::string& identity, const std::string& name, const Stop& stop,
                          const CacheOptions& caching, const std::function<CodeObject(CodeCache&)>& compile) {
  if (identity.empty()) {
    CodeCache none;
    return compile(none);
  }
  return find_in_memory_or_compile(identity, name, stop, [&] {
    CodeCache cache(caching);
    return compile(cache);
  });
}

CompileOutcome CachedCompile::run(const std::function<std::optional<CodeObject>()>& find_otherwise) {
  if (!is_kept()) return compile_unkept();
  if (auto found = find()) return *std::move(found);
  if (auto found = find_otherwise ? find_otherwise() : std::nullopt) return *std::move(found);
  const bool needed_nvcc = is_known_to_need_nvcc();
  CompileLock lock = cache_.compile_lock();
  if (auto found = cache_.lock(lock, request(), stop())) return deliver(*std::move(found));
  if (stop().is_due()) throw_stopped(request().name, stop());
  if (!needed_nvcc && is_known_to_need_nvcc()) return needs_nvcc(lock, "NVRTC refused it before");
  if (auto fetched = cache_.fetch(request(), stop())) {
    lock.release();
    return deliver(*std::move(fetched));
  }
  if (!needed_nvcc && is_known_to_need_nvcc()) return needs_nvcc(lock, "NVRTC refused it before, on another machine");
  refuse_compile();
  cache_.count_miss();
  explain_miss();
  return keep(compile_timed(), lock);
}

std::optional<CodeObject> CachedCompile::find() {
  if (auto found = cache_.find(request())) return deliver(*std::move(found));
  return std::nullopt;
}

CompileOutcome CachedCompile::compile_unkept() {
  refuse_compile();
  MadeCode made = compile_timed();
  if (made.nvcc_needed) return *std::move(made.nvcc_needed);
  return leave_unkept(std::move(made));
}

CompileOutcome CachedCompile::needs_nvcc(CompileLock& lock, const char* why) {
  lock.release();
  return NvccNeeded{why, std::nullopt};
}

CompileOutcome CachedCompile::keep(MadeCode made, CompileLock& lock) {
  if (made.nvcc_needed) {
    inform(request().name, "going on with nvcc: " + made.nvcc_needed->reason);
    cache_.note_need_of_nvcc(request());
    lock.release();
    return *std::move(made.nvcc_needed);
  }
  if (!made.headers.refusal.empty()) return leave_unkept(std::move(made));
  cache_.count(Counter::compiles);
  complete(*made.code);
  inform(request().name, "compiled" + for_arch(" for ", *made.code));
  if (timing() != nullptr) timing()->begin_store();
  if (cache_.keep(request(), *made.code, made.headers.dependencies)) {
    lock.release();
    if (timing() != nullptr) timing()->end_store();
  }
  keep_in_memory(made.code, std::move(made.headers.dependencies));
  return CodeObject(passkey, std::move(made.code), false);
}

CodeObject CachedCompile::leave_unkept(MadeCode made) const {
  const Refusal& refusal = made.headers.refusal;
  cache_.count(Counter::compiles);
  if (!refusal.empty()) {
    cache_.count(refusal.counter);
    cache_.count(Counter::refused);
  }
  complete(*made.code);
  inform(request().name,
         "compiled" + for_arch(" for ", *made.code) + (refusal.empty() ? "" : ", and not kept: " + refusal.text));
  return CodeObject(passkey, std::move(made.code), false);
}

CodeObject CachedCompile::deliver(FoundCode found) const {
  complete(*found.code);
  inform(request().name, "found in the cache" + for_arch(", for ", *found.code));
  keep_in_memory(found.code, std::move(found.dependencies));
  return CodeObject(passkey, std::move(found.code), true);
}

void CachedCompile::keep_in_memory(const std::shared_ptr<CodeData>& code, Dependencies dependencies) const {
  if (identity().empty()) return;
  add_memory_dependencies(dependencies);
  store_in_memory(identity(), code, std::move(dependencies), request().roots(), cache_.own_folder());
}

std::optional<PortableCode> CachedCompile::find_portable() {
  if (auto known = remembered_code(identity()); known && known->dependencies.headers_known)
    return cache_.portable(request(), *known->code, std::move(known->dependencies));
  return cache_.find_portable(request());
}

std::optional<CodeObject> CachedCompile::accept(PortableCode code, bool from_cache) {
  auto found = cache_.accept(request(), std::move(code));
  if (!found) return std::nullopt;
  complete(*found->code);
  inform(request().name, "taken from another machine" + for_arch(", for ", *found->code));
  keep_in_memory(found->code, std::move(found->dependencies));
  return CodeObject(passkey, std::move(found->code), from_cache);
}

MadeCode CachedCompile::compile_timed() {
  CallTiming* const steps = timing();
  if (steps != nullptr) steps->begin_compile();
  MadeCode made = compile();
  if (steps != nullptr) steps->end_compile(made.times);
  return made;
}

bool CachedCompile::is_known_to_need_nvcc() { return may_need_nvcc() && cache_.knows_need_of_nvcc(request()); }

void CachedCompile::refuse_compile() const {
  std::optional<WantedCode> wanted = wanted_from_cache();
  if (!wanted) return;
  cache_.count_miss();
  if (wanted->reasons.empty()) wanted->reasons = cache_.explain(request());
  throw_not_cached(*wanted, cache_.folders());
}

void CachedCompile::explain_miss() const {
  if (!log_enabled(LogLevel::info)) return;
  const std::vector<std::string> reasons = cache_.explain(request());
  if (reasons.empty()) inform(request().name, "not in the cache: no earlier compile of that name is known");
  for (const std::string& reason : reasons) inform(request().name, "not in the cache: " + reason);
}

}  // namespace kiln
