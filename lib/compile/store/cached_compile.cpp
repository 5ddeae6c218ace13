#include "compile/store/cached_compile.hpp"

#include "base/log.hpp"
#include "base/passkey.hpp"
#include "compile/compiler/inform.hpp"
#include "compile/compiler/stopped.hpp"

#include <string>
#include <utility>

namespace kiln {

namespace {

/// For messages: nothing where it is not known.
std::string for_arch(const char* before, const CodeData& code) { return code.arch.empty() ? "" : before + code.arch; }

}  // namespace

std::optional<CodeObject> CachedCompile::find() {
  if (auto found = cache_.find(request())) return deliver(*std::move(found));
  return std::nullopt;
}

CompileOutcome CachedCompile::find_or_compile() {
  const bool needed_nvcc = is_known_to_need_nvcc();
  CompileLock lock = cache_.compile_lock();
  if (auto found = cache_.lock(lock, request(), stop())) return deliver(*std::move(found));
  if (stop().is_due()) throw_stopped(request().name, stop());
  if (!needed_nvcc && is_known_to_need_nvcc()) {
    lock.release();
    return NvccNeeded{"NVRTC refused it before", std::nullopt};
  }
  if (auto fetched = cache_.fetch(request(), stop())) {
    lock.release();
    return deliver(*std::move(fetched));
  }
  if (!needed_nvcc && is_known_to_need_nvcc()) {
    lock.release();
    return NvccNeeded{"NVRTC refused it before, on another machine", std::nullopt};
  }
  refuse_compile();
  cache_.count_miss();
  explain_miss();
  return store(compile_timed(), lock);
}

CompileOutcome CachedCompile::compile_only() {
  refuse_compile();
  MadeCode made = compile_timed();
  if (made.nvcc_needed) return *std::move(made.nvcc_needed);
  return leave_unkept(std::move(made));
}

std::optional<PortableCode> CachedCompile::find_portable() {
  if (auto known = remembered(); known && known->dependencies.headers_known)
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

CodeObject CachedCompile::deliver(FoundCode found) const {
  complete(*found.code);
  inform(request().name, "found in the cache" + for_arch(", for ", *found.code));
  keep_in_memory(found.code, std::move(found.dependencies));
  return CodeObject(passkey, std::move(found.code), true);
}

CompileOutcome CachedCompile::store(MadeCode made, CompileLock& lock) {
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
