// The way of a compile: look-up, lock, look-up again, compile, store. One for sources, LLVM IR and links.
#pragma once

#include "base/stop.hpp"
#include "compile/code/code_data.hpp"
#include "compile/code/made_code.hpp"
#include "compile/store/call_timing.hpp"
#include "compile/store/code_cache.hpp"
#include "compile/store/memory_code.hpp"
#include "compile/store/not_cached.hpp"

#include <memory>
#include <optional>
#include <variant>

namespace kiln {

/// Code, or why another compiler must make it.
using CompileOutcome = std::variant<CodeObject, NvccNeeded>;

/// One request to one compiler or linker. What derives from it says what the request is, and how its code is made.
class CachedCompile {
 public:
  explicit CachedCompile(CodeCache& cache) : cache_(cache) {}
  CachedCompile(const CachedCompile&) = delete;
  CachedCompile& operator=(const CachedCompile&) = delete;
  virtual ~CachedCompile() = default;

  /// Only what the caches hold.
  std::optional<CodeObject> find();
  /// After find() found nothing: waits while another process compiles the same, and compiles unless that one did. What
  /// may be kept is kept. Throws what the compile throws, CompileStopped, and NotCached where nothing may be compiled;
  /// then nothing is kept.
  CompileOutcome find_or_compile();
  /// Looks nothing up and keeps nothing.
  CompileOutcome compile_only();
  /// Code that the caches or this process's memory hold, for another machine. Counts nothing.
  std::optional<PortableCode> find_portable();
  /// Takes what another machine made of the same request, as if it had been compiled here. Nothing where what it
  /// depends on is not the same here. `from_cache` is the code's: whether no compile was needed there.
  std::optional<CodeObject> accept(PortableCode code, bool from_cache);
  /// The canonical bytes, by which all machines know the request.
  std::string key() const { return request().key.request; }
  /// Whether an earlier compile noted that the request needs nvcc.
  bool is_known_to_need_nvcc();
  void note_need_of_nvcc() { cache_.note_need_of_nvcc(request()); }

 protected:
  CodeCache& cache() const noexcept { return cache_; }

 private:
  virtual CacheRequest request() const = 0;
  virtual const Stop& stop() const = 0;
  /// Null where the steps are neither measured nor have ranges.
  virtual CallTiming* timing() const = 0;
  virtual bool may_need_nvcc() const { return false; }
  /// Set where the caches must have the code and nothing may be compiled: what to say of it otherwise.
  virtual std::optional<WantedCode> wanted_from_cache() const { return std::nullopt; }
  virtual MadeCode compile() = 0;
  /// Sets what no entry has, in code that was found and in code that was made.
  virtual void complete(CodeData& code) const = 0;
  virtual std::optional<RememberedCode> remembered() const = 0;
  virtual void keep_in_memory(const std::shared_ptr<CodeData>& code, Dependencies dependencies) const = 0;

  MadeCode compile_timed();
  CodeObject deliver(FoundCode found) const;
  CompileOutcome store(MadeCode made, CompileLock& lock);
  CodeObject leave_unkept(MadeCode made) const;
  void refuse_compile() const;
  void explain_miss() const;

  CodeCache& cache_;
};

}  // namespace kiln
