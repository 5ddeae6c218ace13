#include "compile/compiler_selection.hpp"

#include "base/text_parts.hpp"
#include "compile/compiler/compile_message.hpp"
#include "compile/ir_stages.hpp"
#include "compile/options/target_name.hpp"
#include "compile/store/code_cache.hpp"
#include "toolkit/libraries/nvrtc_library.hpp"
#include "toolkit/locate/nvcc.hpp"
#include "toolkit/locate/toolkit.hpp"

#include <kiln/error.hpp>

#include <string>
#include <utility>

namespace kiln {

namespace {

const std::string& shown_name(const CompileOptions& options) {
  static const std::string unnamed = default_source_name;
  return options.name.empty() ? unnamed : options.name;
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
    : input_(input), choice_(choose_backend(input.options, input.context)), cache_(cache) {
  if (choice_.backend == Backend::nvvm) ir_ = make_ir_request(input.source, input.options, input.context);
}

CodeObject CompilerSelection::compile() {
  if (const auto first = first_compiler()) return compile_with_first(*first);
  const bool may_be_nvcc = choice_.backend == Backend::nvcc || choice_.backend == Backend::automatic;
  const auto nvcc = may_be_nvcc ? find_nvcc() : std::nullopt;
  if (choice_.backend == Backend::nvcc && nvcc) return compile_with_nvcc(*nvcc);
  // What an NVRTC elsewhere made is preferred to a compile here.
  if (auto found = find_elsewhere(nvcc ? Backend::nvrtc : choice_.backend)) return *std::move(found);
  if (nvcc) return compile_with_nvcc(*nvcc);
  require_compile_allowed(choice_.backend);
  throw_no_compiler();
}

std::optional<CodeObject> CompilerSelection::find() {
  const auto compiler = compiler_here();
  const bool is_other = compiler && choice_.backend == Backend::automatic && compiler->backend == Backend::nvcc;
  if (!compiler || is_other) {
    auto found = find_elsewhere(is_other ? Backend::nvrtc : choice_.backend);
    if (found || !compiler) return found;
  }
  SourceCompile one = with(*compiler);
  if (one.is_refused()) return std::nullopt;
  if (auto found = one.find()) return found;
  return find_what_nvcc_made(one);
}

std::optional<Digest> CompilerSelection::find_key() {
  const auto compiler = compiler_here();
  if (!compiler) return std::nullopt;
  SourceCompile one = with(*compiler);
  return one.is_refused() ? std::nullopt : one.find_key();
}

std::optional<std::string> CompilerSelection::key() {
  const auto compiler = compiler_here();
  if (!compiler) return std::nullopt;
  const SourceCompile one = with(*compiler);
  return one.is_refused() ? std::nullopt : std::optional(one.key());
}

std::optional<PortableCode> CompilerSelection::find_portable(Backend made_by) {
  const auto compiler = made_by == Backend::nvcc ? find_nvcc() : first_compiler();
  if (!compiler) return std::nullopt;
  SourceCompile one = with(*compiler);
  if (one.is_refused()) return std::nullopt;
  auto found = one.find_portable();
  if (!found && may_need_nvcc(*compiler)) found = with(*compiler, false).find_portable();
  return found;
}

std::optional<CodeObject> CompilerSelection::accept(PortableCode code, bool from_cache) {
  const auto compiler = compiler_here();
  if (!compiler) return std::nullopt;
  SourceCompile one = with(*compiler);
  if (one.key() == code.request) return one.accept(std::move(code), from_cache);
  if (!may_need_nvcc(*compiler)) return std::nullopt;
  const auto nvcc = find_nvcc();
  if (!nvcc) {
    SourceCompile alone = with(*compiler, false);
    return alone.key() == code.request ? alone.accept(std::move(code), from_cache) : std::nullopt;
  }
  auto taken = with(*nvcc).accept(std::move(code), from_cache);
  if (taken) one.note_need_of_nvcc();
  return taken;
}

/// The compile by that compiler. `or_nvcc`: what NVRTC refuses and nvcc may take is NvccNeeded, and no error.
SourceCompile CompilerSelection::with(const ChosenCompiler& compiler, bool or_nvcc) const {
  if (!ir_)
    return {input_, make_request(input_.source, input_.options, input_.context, compiler, cache_.own_folder(), or_nvcc),
            cache_};
  Request request = *ir_;
  request.compiler = compiler;
  if (input_.is_kept()) request.key = CacheKey(ir_key(input_.source, request));
  return {input_, std::move(request), cache_};
}

/// The compiler of this machine that is asked before nvcc.
std::optional<ChosenCompiler> CompilerSelection::first_compiler() const {
  if (choice_.backend == Backend::nvcc) return std::nullopt;
  if (!ir_) return nvrtc_here();
  return input_.is_kept() ? ir_compiler_here(*ir_, cache_.own_folder()) : ChosenCompiler{Backend::nvvm, {}, {}, true};
}

std::optional<ChosenCompiler> CompilerSelection::compiler_here() const {
  auto first = first_compiler();
  const bool may_be_nvcc = choice_.backend == Backend::nvcc || choice_.backend == Backend::automatic;
  return first || !may_be_nvcc ? first : find_nvcc();
}

std::optional<ChosenCompiler> CompilerSelection::find_nvcc() const {
  return nvcc_here(input_.options, input_.context, cache_.own_folder(), !cache_.folders().empty());
}

bool CompilerSelection::may_need_nvcc(const ChosenCompiler& compiler) const {
  return compiler.backend == Backend::nvrtc && choice_.backend == Backend::automatic;
}

CompileOutcome CompilerSelection::compile_with(const ChosenCompiler& compiler) {
  SourceCompile one = with(compiler);
  return one.run([&] { return find_what_nvcc_made(one); });
}

CodeObject CompilerSelection::compile_with_first(const ChosenCompiler& first) {
  CompileOutcome result = compile_with(first);
  if (const auto* needed = std::get_if<NvccNeeded>(&result)) return compile_with_nvcc_instead(first, *needed);
  return std::get<CodeObject>(std::move(result));
}

CodeObject CompilerSelection::compile_with_nvcc(const ChosenCompiler& nvcc) {
  return std::get<CodeObject>(compile_with(nvcc));
}

CodeObject CompilerSelection::compile_with_nvcc_instead(const ChosenCompiler& nvrtc, const NvccNeeded& needed) {
  const auto nvcc = find_nvcc();
  if (!nvcc) {
    require_compile_allowed(Backend::nvcc);
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
    throw_refused_by_both(needed, error, shown_name(input_.options));
  }
}

std::optional<CodeObject> CompilerSelection::find_what_nvcc_made(SourceCompile& with_nvrtc) {
  if (!with_nvrtc.is_known_to_need_nvcc()) return std::nullopt;
  if (const auto nvcc = find_nvcc()) return with(*nvcc).find();
  if (auto found = find_elsewhere(Backend::nvcc)) return found;
  if (const auto nvrtc = nvrtc_here()) return with(*nvrtc, false).find();
  return std::nullopt;
}

/// Compiles, with a warning, a source for which NVRTC and nvcc differ, where there is no nvcc or nvcc refuses it.
CodeObject CompilerSelection::compile_by_nvrtc_alone(const ChosenCompiler& nvrtc) {
  return std::get<CodeObject>(with(nvrtc, false).run());
}

/// For a machine without the compiler: code in a cache, of any compiler of that kind.
std::optional<CodeObject> CompilerSelection::find_elsewhere(Backend wanted) const {
  if (!input_.is_kept()) return std::nullopt;
  for (const std::string& maker : cache_.makers()) {
    const ChosenCompiler compiler = compiler_elsewhere(maker);
    const bool compiles_cuda = compiler.backend == Backend::nvrtc || compiler.backend == Backend::nvcc;
    if (wanted == Backend::automatic ? !compiles_cuda : compiler.backend != wanted) continue;
    if (compiler.backend == Backend::nvrtc && facts_of(input_.options.target).nvrtc_option == nullptr) continue;
    if (auto found = with(compiler).find()) return found;
  }
  return std::nullopt;
}

/// Where nothing may be compiled it is no matter that nothing could be.
void CompilerSelection::require_compile_allowed(Backend backend) {
  if (!requires_hit(input_.options.caching)) return;
  cache_.count_miss();
  throw_not_cached({ir_ ? ir_->job.name : shown_name(input_.options),
                    input_.options.arch.empty() ? input_.context.device_arch : input_.options.arch,
                    compiler_title(backend),
                    input_.options.name_expressions,
                    {"no compiler of this machine's can be asked for, and those of other machines made none of it"}},
                   cache_.folders());
}

void CompilerSelection::throw_no_compiler() {
  cache_.count(Counter::misses);
  if (ir_) throw_no_ir_compiler(*ir_);
  std::string searched;
  for (const std::string& folder : cache_.folders()) searched += (searched.empty() ? "" : ", ") + folder;
  const std::string elsewhere = searched.empty() ? "" : ", and no code for this request in the cache " + searched;
  if (choice_.backend != Backend::nvcc) throw_no_nvrtc(current_toolkit(), elsewhere);
  throw_no_nvcc((choice_.reason.empty() ? "" : " (needed for " + choice_.reason + ")") + elsewhere);
}

}  // namespace kiln
