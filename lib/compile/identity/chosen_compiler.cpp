#include "compile/identity/chosen_compiler.hpp"

#include "base/argument_error.hpp"
#include "base/digest.hpp"
#include "base/environment.hpp"
#include "base/keep_first.hpp"
#include "compile/identity/nvcc_environment.hpp"
#include "compile/identity/tool_digests.hpp"
#include "compile/options/arch.hpp"
#include "compile/options/option_list.hpp"
#include "compile/options/target_name.hpp"
#include "toolkit/locate/library_identity.hpp"
#include "toolkit/locate/nvcc.hpp"
#include "toolkit/locate/toolkit.hpp"

#include <atomic>
#include <iterator>
#include <utility>

namespace kiln {

namespace {

constexpr std::string_view nvcc_prefix = "nvcc:";

Backend backend_of_environment() {
  const std::string name = environment("KILN_BACKEND").value_or("auto");
  if (name == "auto" || name == "automatic") return Backend::automatic;
  if (name == "nvrtc") return Backend::nvrtc;
  if (name == "nvcc") return Backend::nvcc;
  throw_argument_error("KILN_BACKEND is \"" + name + "\": set it to auto, nvrtc or nvcc", "auto, nvrtc or nvcc", name);
}

/// Why NVRTC cannot do it; empty where it may.
std::string need_of_nvcc(const CompileOptions& options, const CompileContext& context) {
  if (facts_of(options.target).nvrtc_option == nullptr) return "target " + target_name(options.target);
  const std::vector<std::string> all = all_options(options, context, Backend::automatic);
  const OptionList list = read_options(all, "/");
  const std::string& arch = options.arch.empty() ? list.arch : options.arch;
  const std::string& code = options.nvcc.code.empty() ? list.code : options.nvcc.code;
  if (!list.listed_archs.empty()) return "the option -gencode";
  if (arch == "all" || arch == "all-major") return "arch " + arch;
  if (!is_one_arch(arch, code)) return "code " + code;
  if (const auto option = option_for_nvcc_only(list.arguments)) return "the option " + *option;
  return {};
}

std::string identity_of(const std::string& nvcc, const CompileOptions& options, const CompileContext& context,
                        CacheFolder* cache) {
  StageIdentity programs{nvcc_parts(nvcc, all_options(options, context, Backend::nvcc)), {}};
  // By these GCC looks for its own parts elsewhere.
  for (const char* variable : {"COMPILER_PATH", "GCC_EXEC_PREFIX"})
    if (const auto value = environment(variable)) programs.text += "+" + digest_of(variable + ("=" + *value)).hex();
  return maker_of(std::string(nvcc_prefix), {programs}, cache);
}

}  // namespace

BackendChoice choose_backend(const CompileOptions& options, const CompileContext& context) {
  const bool is_ir = options.language == Language::nvvm_ir;
  if (is_ir && context.plain)
    throw_argument_error("compile_plain runs nvcc, which takes no LLVM IR: use compile", "Language::cuda", "nvvm_ir");
  if (is_ir) return {Backend::nvvm, {}};
  if (context.plain) return {Backend::nvcc, {}};
  Backend backend = options.backend;
  if (backend != Backend::automatic && backend != Backend::nvrtc && backend != Backend::nvcc)
    throw_argument_error("CompileOptions::backend is " + backend_name(backend) +
                             ", which compiles no CUDA C++: leave it automatic (nvvm is for Language::nvvm_ir; linkers "
                             "are for kiln::Linker)",
                         "automatic, nvrtc or nvcc", backend_name(backend));
  if (backend == Backend::automatic) backend = backend_of_environment();
  if (backend != Backend::automatic) return {backend, {}};
  std::string reason = need_of_nvcc(options, context);
  return {reason.empty() ? Backend::automatic : Backend::nvcc, std::move(reason)};
}

std::optional<ChosenCompiler> nvrtc_here() {
  const std::string* identity = find_compiler_identity();
  if (identity == nullptr) return std::nullopt;
  ChosenCompiler nvrtc{Backend::nvrtc, *identity, {}, true};
  if (current_toolkit().uses_bundled_headers) nvrtc.identity += bundled_headers_mark;
  return nvrtc;
}

bool ChosenCompiler::uses_bundled_headers() const {
  return backend == Backend::nvrtc && identity.ends_with(bundled_headers_mark);
}

std::optional<ChosenCompiler> nvcc_here(const CompileOptions& options, const CompileContext& context,
                                        CacheFolder* cache, bool in_key) {
  const std::optional<std::string> nvcc =
      options.nvcc.path.empty() ? look_for_nvcc({}) : std::optional<std::string>(require_nvcc(options.nvcc.path));
  if (!nvcc) return std::nullopt;
  return ChosenCompiler{Backend::nvcc, in_key ? identity_of(*nvcc, options, context, cache) : std::string(), *nvcc,
                        true};
}

ChosenCompiler compiler_elsewhere(const std::string& identity) {
  constexpr std::pair<std::string_view, Backend> kinds[] = {{nvcc_prefix, Backend::nvcc},
                                                            {"nvvm:", Backend::nvvm},
                                                            {"nvjitlink:", Backend::nvjitlink},
                                                            {"driver:", Backend::driver}};
  for (const auto& [prefix, backend] : kinds)
    if (identity.starts_with(prefix)) return {backend, identity, {}, false};
  return {Backend::nvrtc, identity, {}, false};
}

std::vector<std::string> all_options(const CompileOptions& options, const CompileContext& context, Backend backend) {
  std::vector<std::string> all;
  const auto add = [&all](std::vector<std::string> more) {
    all.insert(all.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
  };
  if (backend == Backend::nvcc) add(nvcc_environment_options_before());
  if (!context.plain)
    add(split_options(environment("KILN_DEFAULT_OPTIONS", "PYCUDA_DEFAULT_NVCC_FLAGS").value_or(""),
                      "KILN_DEFAULT_OPTIONS or PYCUDA_DEFAULT_NVCC_FLAGS"));
  add(options.options);
  if (backend == Backend::nvcc) add(nvcc_environment_options_after());
  return all;
}

std::string nvrtc_identity(const std::string& nvrtc, const std::string& builtins) {
  std::string identity = library_identity(FileSystem::real(), nvrtc);
  if (!builtins.empty()) identity += "+" + library_identity(FileSystem::real(), builtins);
  return identity;
}

const std::string* find_compiler_identity() {
  static std::atomic<const std::string*> known{nullptr};
  if (const std::string* identity = known.load(std::memory_order_acquire)) return identity;
  const Toolkit& toolkit = current_toolkit();
  if (!toolkit.nvrtc) return nullptr;
  std::string identity = nvrtc_identity(*toolkit.nvrtc, toolkit.nvrtc_builtins.value_or(""));
  return &keep_first(known, std::make_unique<const std::string>(std::move(identity)));
}

}  // namespace kiln
