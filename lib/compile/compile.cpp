// Which compilers a request is put to, one after the other; and memory before all of them.
#include <kiln/compile.hpp>

#include "base/log.hpp"
#include "compile/compiler.hpp"
#include "compile/keyed_code.hpp"
#include "compile/linkers_here.hpp"
#include "compile/memory_code.hpp"
#include "compile/nvcc_wanted.hpp"
#include "compile/nvvm_compile.hpp"
#include "compile/nvvm_request.hpp"
#include "compile/search.hpp"
#include "toolkit/driver.hpp"
#include "toolkit/nvcc.hpp"
#include "toolkit/nvrtc_library.hpp"
#include "toolkit/toolkit.hpp"

#include <kiln/error.hpp>

#include <utility>

namespace kiln {

namespace {

/// On a machine without the compiler: what a cache holds serves, whichever compiler of that kind it is of.
std::optional<CodeObject> find_without_compiler(const Ask& ask, Backend wanted, CodeCache& cache) {
  for (const std::string& maker : cache.makers()) {
    if (is_ir_maker(maker) || linker_elsewhere(maker)) continue;
    const ChosenCompiler compiler = compiler_elsewhere(maker);
    if (wanted != Backend::automatic && compiler.backend != wanted) continue;
    if (compiler.backend == Backend::nvrtc && ask.options.target == Target::fatbin) continue;
    if (auto found = Search(ask, compiler, cache, false).find()) return found;
  }
  return std::nullopt;
}

[[noreturn]] void throw_no_compiler(const BackendWish& wanted, CodeCache& cache) {
  cache.count(Counter::misses);
  std::string searched;
  for (const std::string& folder : cache.folders()) searched += (searched.empty() ? "" : ", ") + folder;
  const std::string elsewhere = searched.empty() ? "" : ", and no code for this request in the cache " + searched;
  if (wanted.backend != Backend::nvcc) throw_no_nvrtc(current_toolkit(), elsewhere);
  throw_no_nvcc((wanted.reason.empty() ? "" : " (needed for " + wanted.reason + ")") + elsewhere);
}

/// One request, put to the compilers in turn.
class Enquiry {
 public:
  Enquiry(const Ask& ask, CodeCache& cache, bool caches)
      : ask_(ask), wish_(wanted_backend(ask.options, ask.wish)), cache_(cache), caches_(caches) {}

  CodeObject answer() {
    if (wish_.backend != Backend::nvcc)
      if (const auto nvrtc = nvrtc_here()) return by_nvrtc(*nvrtc);
    const auto nvcc = wish_.backend != Backend::nvrtc ? find_nvcc() : std::nullopt;
    if (wish_.backend == Backend::nvcc && nvcc) return by(*nvcc);
    // What an NVRTC elsewhere made is preferred to a compile here.
    const Backend missing = nvcc ? Backend::nvrtc : wish_.backend;
    if (auto found = caches_ ? find_without_compiler(ask_, missing, cache_) : std::nullopt) return *std::move(found);
    if (nvcc) return by(*nvcc);
    throw_no_compiler(wish_, cache_);
  }

  /// Only what the caches hold for a compiler that is here.
  std::optional<CodeObject> find() {
    const auto compiler = compiler_here();
    if (!compiler) return std::nullopt;
    Search search(ask_, *compiler, cache_, may_need_nvcc(*compiler));
    if (search.is_refused()) return std::nullopt;
    if (auto found = search.find()) return found;
    return find_what_nvcc_made(search);
  }

  /// Where find() would find it at once.
  std::optional<Digest> find_key() {
    const auto compiler = compiler_here();
    if (!compiler) return std::nullopt;
    Search search(ask_, *compiler, cache_, may_need_nvcc(*compiler));
    return search.is_refused() ? std::nullopt : search.find_key();
  }

 private:
  std::optional<ChosenCompiler> compiler_here() const {
    const auto nvrtc = wish_.backend != Backend::nvcc ? nvrtc_here() : std::nullopt;
    return nvrtc || wish_.backend == Backend::nvrtc ? nvrtc : find_nvcc();
  }

  std::optional<ChosenCompiler> find_nvcc() const {
    return nvcc_here(ask_.options, ask_.wish, cache_.own_store(), !cache_.folders().empty());
  }

  bool may_need_nvcc(const ChosenCompiler& compiler) const {
    return compiler.backend == Backend::nvrtc && wish_.backend == Backend::automatic;
  }

  CodeObject by(const ChosenCompiler& compiler) {
    Search search(ask_, compiler, cache_, may_need_nvcc(compiler));
    if (!caches_) return search.make_uncached();
    if (search.is_refused()) return search.make_unkept();
    if (auto found = search.find()) return *std::move(found);
    if (auto found = find_what_nvcc_made(search)) return *std::move(found);
    return search.make([this](const std::string& reason) { return by_nvcc(reason, nullptr); });
  }

  CodeObject by_nvrtc(const ChosenCompiler& nvrtc) {
    try {
      return by(nvrtc);
    } catch (const NvccWanted& wanted) {
      return by_nvcc(wanted.reason(), &wanted);
    }
  }

  /// After NVRTC has refused the source, now or (without `refusal`) in an earlier compile.
  CodeObject by_nvcc(const std::string& reason, const CompileError* refusal) {
    const auto nvcc = find_nvcc();
    if (!nvcc && refusal == nullptr) throw_no_nvcc(" (needed because " + reason + ")");
    if (!nvcc)
      throw CompileError(std::string(refusal->what()) + "\nnvcc may compile this (" + reason +
                             "), but there is none on this machine: install the CUDA toolkit, or set CUDA_HOME",
                         refusal->log(), refusal->options());
    try {
      return by(*nvcc);
    } catch (const CompileStopped&) {
      throw;
    } catch (const CompileError& error) {
      throw CompileError(std::string(error.what()) + "\n(nvcc was asked because " + reason + ")", error.log(),
                         error.options());
    }
  }

  std::optional<CodeObject> find_what_nvcc_made(Search& search) {
    if (!search.is_known_to_need_nvcc()) return std::nullopt;
    if (const auto nvcc = find_nvcc()) return Search(ask_, *nvcc, cache_, false).find();
    return find_without_compiler(ask_, Backend::nvcc, cache_);
  }

  const Ask& ask_;
  const BackendWish wish_;
  CodeCache& cache_;
  const bool caches_;
};

Stop stop_of(const CompileOptions& options) {
  Stop stop;
  stop.cancel = options.cancel;
  if (options.timeout.count() > 0) stop.deadline = Stop::Clock::now() + options.timeout;
  return stop;
}

CodeObject find_or_compile(std::string_view source, const CompileOptions& options, const CompileWish& wish,
                           const Stop& stop) {
  if (options.language == Language::nvvm_ir) return compile_ir(source, options, wish, stop);
  Ask ask{source, options, wish, stop, {}};
  if (!keeps_code(options)) {
    CodeCache none;
    return Enquiry(ask, none, false).answer();
  }
  ask.identity = request_identity(source, options, wish);
  return recall_or_get(ask.identity, options.name, stop, [&] {
    CodeCache cache(options);
    return Enquiry(ask, cache, true).answer();
  });
}

CompileWish for_arch(CompileWish wish, std::string arch) {
  wish.device_arch = std::move(arch);
  return wish;
}

}  // namespace

CompileWish wish_for_device(std::string arch) {
  const Driver* const driver = arch.empty() ? nullptr : Driver::if_open();
  return {std::move(arch), driver == nullptr || driver->loads_cubin};
}

CodeObject compile_for(std::string_view source, const CompileOptions& options, const CompileWish& wish) {
  const Stop stop = stop_of(options);
  if (!is_for_device(options) || !wish.device_arch.empty() || wish.plain)
    return find_or_compile(source, options, wish, stop);
  if (const auto initialised = initialised_device_arch())
    return find_or_compile(source, options, wish_for_device("sm_" + std::to_string(*initialised)), stop);
  const std::vector<std::string> arches = options.arch.empty() ? arches_of_environment() : std::vector<std::string>();
  if (arches.empty()) return find_or_compile(source, options, wish, stop);
  // A login node warms the cache for every kind of node; the first kind's code is the answer.
  std::optional<CodeObject> first;
  for (const std::string& arch : arches) {
    CodeObject code = find_or_compile(source, options, for_arch(wish, parse_arch(arch).text()), stop);
    if (!first) first = std::move(code);
  }
  return *first;
}

std::optional<CodeObject> find_code_for(std::string_view source, const CompileOptions& options,
                                        const CompileWish& wish) {
  if (!keeps_code(options)) return std::nullopt;
  const bool has_arch = !options.arch.empty() || !wish.device_arch.empty() || wish.plain;
  if (!has_arch && !arches_of_environment().empty()) return std::nullopt;  // there may be several
  if (options.language == Language::nvvm_ir) return find_ir_code(source, options, wish);
  Ask ask{source, options, wish, {}, {}};
  ask.identity = request_identity(source, options, wish);
  if (auto known = recall_code(ask.identity)) return CodeObject(std::move(known), true);
  CodeCache cache(options);
  return Enquiry(ask, cache, true).find();
}

CodeOrKey compile_or_locate(std::string_view source, const CompileOptions& options, const CompileWish& wish) {
  const bool has_one_arch = !is_for_device(options) || !wish.device_arch.empty();
  // What an emulator's entry is depends on where it is read, so that its key does not stand for it.
  if (keeps_code(options) && has_one_arch && options.language == Language::cuda && wish.loads_cubin) {
    Ask ask{source, options, wish, {}, request_identity(source, options, wish)};
    if (auto known = recall_code(ask.identity)) return {CodeObject(std::move(known), true), {}};
    CodeCache cache(options);
    if (const auto key = Enquiry(ask, cache, true).find_key()) return {std::nullopt, *key};
  }
  return {compile_for(source, options, wish), {}};
}

CodeObject compile(std::string_view source, const CompileOptions& options) { return compile_for(source, options, {}); }

void forget(const CodeObject& code) {
  code.data()->forgotten.store(true, std::memory_order_relaxed);
  if (code.data()->store != nullptr) code.data()->store->drop(code.data()->store_key);
}

}  // namespace kiln
