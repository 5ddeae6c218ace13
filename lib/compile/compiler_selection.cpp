#include "compile/compiler_selection.hpp"

#include "base/text_parts.hpp"
#include "compile/compiler/compile_message.hpp"
#include "compile/ir_maker.hpp"
#include "compile/link/linkers_here.hpp"
#include "compile/nvvm/nvvm_request.hpp"
#include "compile/store/not_cached.hpp"
#include "toolkit/libraries/nvrtc_library.hpp"
#include "toolkit/locate/nvcc.hpp"
#include "toolkit/locate/toolkit.hpp"

#include <kiln/error.hpp>

#include <string>
#include <utility>

namespace kiln {

namespace {

/// For a machine without the compiler: code in a cache, of any compiler of that kind. `may_need_nvcc` is that of
/// NVRTC's requests.
std::optional<CodeObject> find_without_compiler(const CompileInput& input, Backend wanted, CodeCache& cache,
                                                bool may_need_nvcc) {
  for (const std::string& maker : cache.makers()) {
    if (is_ir_maker(maker) || linker_elsewhere(maker)) continue;
    const ChosenCompiler compiler = compiler_elsewhere(maker);
    if (wanted != Backend::automatic && compiler.backend != wanted) continue;
    if (compiler.backend == Backend::nvrtc && input.options.target == Target::fatbin) continue;
    const bool is_nvrtc = compiler.backend == Backend::nvrtc;
    if (auto found = SourceCompile(input, compiler, cache, is_nvrtc && may_need_nvcc).find()) return found;
  }
  return std::nullopt;
}

/// Where nothing may be compiled it is no matter that nothing could be.
void require_compile_allowed(const CompileInput& input, const BackendChoice& choice, CodeCache& cache) {
  if (!requires_hit(input.options.caching)) return;
  cache.count_miss();
  const std::string& name = input.options.name;
  throw_not_cached({name.empty() ? default_source_name : name,
                    input.options.arch.empty() ? input.context.device_arch : input.options.arch,
                    choice.backend == Backend::nvcc ? "nvcc" : "NVRTC",
                    input.options.name_expressions,
                    {"no compiler of this machine's can be asked for, and those of other machines made none of it"}},
                   cache.folders());
}

[[noreturn]] void throw_no_compiler(const BackendChoice& wanted, CodeCache& cache) {
  cache.count(Counter::misses);
  std::string searched;
  for (const std::string& folder : cache.folders()) searched += (searched.empty() ? "" : ", ") + folder;
  const std::string elsewhere = searched.empty() ? "" : ", and no code for this request in the cache " + searched;
  if (wanted.backend != Backend::nvcc) throw_no_nvrtc(current_toolkit(), elsewhere);
  throw_no_nvcc((wanted.reason.empty() ? "" : " (needed for " + wanted.reason + ")") + elsewhere);
}

[[noreturn]] void throw_no_nvcc_for(const NvccNeeded& needed) {
  if (!needed.refusal) throw_no_nvcc(" (needed because " + needed.reason + ")");
  throw CompileError(std::string(needed.refusal->what()) + "\nnvcc may compile this (" + needed.reason +
                         "), but there is none on this machine: install the CUDA toolkit, or set CUDA_HOME",
                     needed.refusal->log(), needed.refusal->options());
}

/// After both compilers refused a source.
[[noreturn]] void throw_refused_by_both(const NvccNeeded& needed, const CompileError& by_nvcc,
                                        const std::string& name) {
  if (!needed.is_guess || !needed.refusal)
    throw CompileError(std::string(by_nvcc.what()) + "\n(nvcc was asked because " + needed.reason + ")", by_nvcc.log(),
                       by_nvcc.options());
  const CompileError& by_nvrtc = *needed.refusal;
  std::string text = by_nvrtc.what();
  text += (text.back() == '\n' ? "" : "\n") + std::string("nvcc was asked, too (") + needed.reason + "), and says ";
  const auto first = main_error(errors_of(by_nvrtc.log()), name);
  const auto second = main_error(errors_of(by_nvcc.log()), name);
  if (!second) {
    std::string_view headline = by_nvcc.what();
    text += "\"" + std::string(next_line(headline)) + "\"";
  } else if (first && first->line == second->line && first->text == second->text) {
    text += "the same";
  } else {
    if (!second->file.empty()) text += second->file + "(" + std::to_string(second->line) + "): ";
    text += second->text;
  }
  throw CompileError(text, by_nvrtc.log(), by_nvrtc.options());
}

}  // namespace

CompilerSelection::CompilerSelection(const CompileInput& input, CodeCache& cache)
    : input_(input), choice_(choose_backend(input.options, input.context)), cache_(cache) {}

CodeObject CompilerSelection::compile() {
  if (choice_.backend != Backend::nvcc)
    if (const auto nvrtc = nvrtc_here()) return compile_with_nvrtc(*nvrtc);
  const auto nvcc = choice_.backend != Backend::nvrtc ? find_nvcc() : std::nullopt;
  if (choice_.backend == Backend::nvcc && nvcc) return compile_with_nvcc(*nvcc);
  // What an NVRTC elsewhere made is preferred to a compile here.
  const Backend missing = nvcc ? Backend::nvrtc : choice_.backend;
  if (auto found = find_elsewhere(missing)) return *std::move(found);
  if (nvcc) return compile_with_nvcc(*nvcc);
  require_compile_allowed(input_, choice_, cache_);
  throw_no_compiler(choice_, cache_);
}

std::optional<CodeObject> CompilerSelection::find() {
  const auto compiler = compiler_here();
  const bool is_other = compiler && choice_.backend == Backend::automatic && compiler->backend == Backend::nvcc;
  if (!compiler || is_other) {
    auto found = find_elsewhere(is_other ? Backend::nvrtc : choice_.backend);
    if (found || !compiler) return found;
  }
  SourceCompile with(input_, *compiler, cache_, may_need_nvcc(*compiler));
  if (with.is_refused()) return std::nullopt;
  if (auto found = with.find()) return found;
  return find_what_nvcc_made(with);
}

std::optional<Digest> CompilerSelection::find_key() {
  const auto compiler = compiler_here();
  if (!compiler) return std::nullopt;
  SourceCompile with(input_, *compiler, cache_, may_need_nvcc(*compiler));
  return with.is_refused() ? std::nullopt : with.find_key();
}

std::optional<std::string> CompilerSelection::key() {
  const auto compiler = compiler_here();
  if (!compiler) return std::nullopt;
  const SourceCompile with(input_, *compiler, cache_, may_need_nvcc(*compiler));
  return with.is_refused() ? std::nullopt : std::optional(with.key());
}

std::optional<PortableCode> CompilerSelection::find_portable(Backend made_by) {
  const auto compiler = made_by == Backend::nvcc ? find_nvcc() : nvrtc_here();
  if (!compiler) return std::nullopt;
  SourceCompile with(input_, *compiler, cache_, may_need_nvcc(*compiler));
  if (with.is_refused()) return std::nullopt;
  auto found = with.find_portable();
  if (!found && may_need_nvcc(*compiler)) found = SourceCompile(input_, *compiler, cache_, false).find_portable();
  return found;
}

std::optional<CodeObject> CompilerSelection::accept(PortableCode code, bool from_cache) {
  const auto compiler = compiler_here();
  if (!compiler) return std::nullopt;
  SourceCompile with(input_, *compiler, cache_, may_need_nvcc(*compiler));
  if (with.key() == code.request) return with.accept(std::move(code), from_cache);
  if (!may_need_nvcc(*compiler)) return std::nullopt;
  const auto nvcc = find_nvcc();
  if (!nvcc) {
    SourceCompile alone(input_, *compiler, cache_, false);
    return alone.key() == code.request ? alone.accept(std::move(code), from_cache) : std::nullopt;
  }
  auto taken = SourceCompile(input_, *nvcc, cache_, false).accept(std::move(code), from_cache);
  if (taken) with.note_need_of_nvcc();
  return taken;
}

std::optional<ChosenCompiler> CompilerSelection::compiler_here() const {
  const auto nvrtc = choice_.backend != Backend::nvcc ? nvrtc_here() : std::nullopt;
  return nvrtc || choice_.backend == Backend::nvrtc ? nvrtc : find_nvcc();
}

std::optional<ChosenCompiler> CompilerSelection::find_nvcc() const {
  return nvcc_here(input_.options, input_.context, cache_.own_folder(), !cache_.folders().empty());
}

bool CompilerSelection::may_need_nvcc(const ChosenCompiler& compiler) const {
  return compiler.backend == Backend::nvrtc && choice_.backend == Backend::automatic;
}

CompileOutcome CompilerSelection::compile_with(const ChosenCompiler& compiler) {
  SourceCompile with(input_, compiler, cache_, may_need_nvcc(compiler));
  if (!input_.is_kept() || with.is_refused()) return with.compile_only();
  if (auto found = with.find()) return *std::move(found);
  if (auto found = find_what_nvcc_made(with)) return *std::move(found);
  return with.find_or_compile();
}

CodeObject CompilerSelection::compile_with_nvrtc(const ChosenCompiler& nvrtc) {
  CompileOutcome result = compile_with(nvrtc);
  if (const auto* needed = std::get_if<NvccNeeded>(&result)) return compile_with_nvcc_instead(nvrtc, *needed);
  return std::get<CodeObject>(std::move(result));
}

CodeObject CompilerSelection::compile_with_nvcc(const ChosenCompiler& nvcc) {
  return std::get<CodeObject>(compile_with(nvcc));
}

CodeObject CompilerSelection::compile_with_nvcc_instead(const ChosenCompiler& nvrtc, const NvccNeeded& needed) {
  const auto nvcc = find_nvcc();
  if (!nvcc) {
    require_compile_allowed(input_, {Backend::nvcc, {}}, cache_);
    if (needed.nvrtc_can) return compile_by_nvrtc_alone(nvrtc);
    throw_no_nvcc_for(needed);
  }
  try {
    return compile_with_nvcc(*nvcc);
  } catch (const CompileError& error) {
    try {
      if (needed.nvrtc_can) return compile_by_nvrtc_alone(nvrtc);
    } catch (const CompileError&) {
      // nvcc's error is the one to report: the source is for nvcc, and was put to it first.
    }
    const std::string& name = input_.options.name;
    throw_refused_by_both(needed, error, name.empty() ? default_source_name : name);
  }
}

std::optional<CodeObject> CompilerSelection::find_what_nvcc_made(SourceCompile& with_nvrtc) {
  if (!with_nvrtc.is_known_to_need_nvcc()) return std::nullopt;
  if (const auto nvcc = find_nvcc()) return SourceCompile(input_, *nvcc, cache_, false).find();
  if (auto found = find_elsewhere(Backend::nvcc)) return found;
  if (const auto nvrtc = nvrtc_here()) return SourceCompile(input_, *nvrtc, cache_, false).find();
  return std::nullopt;
}

/// Compiles, with a warning, a source for which NVRTC and nvcc differ, where there is no nvcc or nvcc refuses it.
CodeObject CompilerSelection::compile_by_nvrtc_alone(const ChosenCompiler& nvrtc) {
  SourceCompile alone(input_, nvrtc, cache_, false);
  if (!input_.is_kept() || alone.is_refused()) return std::get<CodeObject>(alone.compile_only());
  if (auto found = alone.find()) return *std::move(found);
  return std::get<CodeObject>(alone.find_or_compile());
}

std::optional<CodeObject> CompilerSelection::find_elsewhere(Backend wanted) const {
  return find_without_compiler(input_, wanted, cache_, choice_.backend == Backend::automatic);
}

}  // namespace kiln
