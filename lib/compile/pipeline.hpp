// The way of one request to one compiler or linker, the same for sources, LLVM IR and links.
#pragma once

#include "base/stop.hpp"
#include "compile/code/code_data.hpp"
#include "compile/code/made_code.hpp"
#include "compile/store/call_timing.hpp"
#include "compile/store/code_cache.hpp"
#include "compile/store/memory_code.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>
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

  /// The whole way: the code that the caches hold, else a compile, whose code is kept where it may be. `find_otherwise`
  /// is asked after the first look-up. Throws what the compile throws, CompileStopped, and NotCached where nothing may
  /// be compiled; then nothing is kept.
  CompileOutcome run(const std::function<std::optional<CodeObject>()>& find_otherwise = {});
  /// Only what the caches hold.
  std::optional<CodeObject> find();
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
  /// The request's name in this process's memory; empty where code is neither looked up nor kept.
  virtual const std::string& identity() const = 0;
  virtual bool is_kept() const { return !identity().empty(); }
  virtual const Stop& stop() const = 0;
  /// Null where the steps are neither measured nor have ranges.
  virtual CallTiming* timing() const = 0;
  virtual bool may_need_nvcc() const { return false; }
  /// Set where the caches must have the code and nothing may be compiled: what to say of it otherwise.
  virtual std::optional<WantedCode> wanted_from_cache() const { return std::nullopt; }
  virtual MadeCode compile() = 0;
  /// Sets what no entry has, in code that was found and in code that was made.
  virtual void complete(CodeData& code) const = 0;
  /// What code in memory depends on, beside that on the disk.
  virtual void add_memory_dependencies(Dependencies&) const {}

  CompileOutcome compile_unkept();
  MadeCode compile_timed();
  CompileOutcome needs_nvcc(CompileLock& lock, const char* why);
  CodeObject deliver(FoundCode found) const;
  CompileOutcome keep(MadeCode made, CompileLock& lock);
  CodeObject leave_unkept(MadeCode made) const;
  void keep_in_memory(const std::shared_ptr<CodeData>& code, Dependencies dependencies) const;
  void refuse_compile() const;
  void explain_miss() const;

  CodeCache& cache_;
};

/// The code of that identity that this process's memory holds, else what `compile` makes with these caches; with none
/// where the identity is empty.
CodeObject from_memory_or(const std::string& identity, const std::string& name, const Stop& stop,
                          const CacheOptions& caching, const std::function<CodeObject(CodeCache&)>& compile);

}  // namespace kiln
