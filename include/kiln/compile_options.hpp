// CompileOptions: how a source text is to be compiled. PyCUDA's keywords keep their names.
#pragma once

#include <kiln/cache_options.hpp>
#include <kiln/cancel.hpp>
#include <kiln/detail/template_value.hpp>
#include <kiln/dim3.hpp>
#include <kiln/export.hpp>

#include <chrono>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace kiln {

/// What the compiler makes. NVRTC makes all of them but fatbin, nvcc all of them.
enum class Target { cubin, ptx, fatbin, ltoir, optixir };

/// Which compiler or linker made, or is to make, a CodeObject. CompileOptions take the first three, and for NVVM IR
/// automatic or nvvm; LinkOptions automatic, nvjitlink or driver.
enum class Backend { automatic, nvrtc, nvcc, nvvm, nvjitlink, driver };

/// What the source text is: CUDA C++, or NVVM IR (LLVM IR for GPUs) as text or bitcode.
enum class Language { cuda, nvvm_ir };

/// One macro definition: Define("NAME"), Define("NAME=VALUE"), Define("NAME", 4), Define("NAME", 0.5),
/// Define("NAME", Dim3(16, 16)) or Define("NAME", "value").
struct Define {
  std::string name;   ///< of the macro
  std::string value;  ///< what it is replaced by

  /// "NAME" defines it as 1, as the compilers' -D does; "NAME=VALUE" is split at the first '='.
  KILN_EXPORT Define(std::string_view text);  // NOLINT(google-explicit-constructor): lists of names read as such
  Define(const char* text) : Define(std::string_view(text)) {}         // NOLINT(google-explicit-constructor)
  Define(const std::string& text) : Define(std::string_view(text)) {}  // NOLINT(google-explicit-constructor)
  /// The name and the value, which is used unchanged.
  Define(std::string macro, std::string text) : name(std::move(macro)), value(std::move(text)) {}
  /// A bool becomes 1 or 0. A float or double becomes a literal of its type that reads back to the same number: 0.5f,
  /// 2.0. Throws ArgumentError for infinity and NaN, of which there is no literal.
  template <class Number, class = std::enable_if_t<std::is_arithmetic_v<Number>>>
  Define(std::string macro, Number number) : name(std::move(macro)) {
    if constexpr (std::is_integral_v<Number>)
      value = std::to_string(number);
    else
      value = detail::number_text(number);
  }
  /// A grid or a block: dim3(16, 16, 1).
  KILN_EXPORT Define(std::string macro, const Dim3& size);
};

/// Which nvcc, and what only nvcc does. An aggregate: C++20 writes {.path = "/opt/cuda/bin/nvcc"}, C++17
/// {"/opt/cuda/bin/nvcc"}.
struct NvccOptions {
  /// The nvcc to run: a path, or a name to look for on PATH. Empty: the toolkit's, else the one on PATH. Does not
  /// choose nvcc over NVRTC: CompileOptions::backend does. Counterpart: PyCUDA's nvcc.
  std::string path = {};
  /// nvcc's -code: the architectures to make code for out of CompileOptions::arch, one text with commas, such as
  /// "sm_80,sm_90,compute_90" for a fatbin. Empty: what arch says. NVRTC takes one, the same as arch. Counterpart:
  /// PyCUDA's code. Braces, {"sm_80", "sm_90"}, make no list but undefined behaviour, as with every std::string.
  std::string code = {};
};

/// Gives the text of a header by its name, or nothing where it has none of that name.
using HeaderCallback = std::function<std::optional<std::string>(const std::string& name)>;

/// How to compile. An aggregate: C++20 writes {.arch = "sm_90"}, C++17 chains CompileOptions{}.with_arch("sm_90"). A
/// plain value: copies are independent, and one object must not be changed while another thread reads it.
struct CompileOptions {
  /// Compiler options, in order, after those of KILN_DEFAULT_OPTIONS (or PYCUDA_DEFAULT_NVCC_FLAGS). Trusted input, as
  /// the source is: nvcc hands some to a shell. For NVVM IR libnvvm's, and none of these variables.
  std::vector<std::string> options = {};
  /// Searched for headers, in order, before the toolkit's own folders. Relative ones count from the working folder.
  std::vector<std::filesystem::path> include_dirs = {};
  /// Macros, in order, after `options`.
  std::vector<Define> defines = {};
  /// Macros that are defined after the source's leading include lines, so that variants of a kernel have all before
  /// them in common. Lines keep their numbers. The leading lines are the comments and directives before all else, up to
  /// the last include among them, the end of its group, or `#pragma nv_hdrstop`; without one the macros come first. As
  /// those headers would not see them, ArgumentError is thrown for a name that is a word of the leading lines or of a
  /// header that is read, wherever that is included, that `defines` or `options` have, too, or that is a keyword or the
  /// compiler's own, such as `__LINE__`. "BLOCK" and "BLOCK=128" are as in `defines`; "F(x)" is a macro with a
  /// parameter.
  std::vector<Define> late_defines = {};
  /// "sm_90", "compute_90", "90", "sm_90a". Empty: the current device's; without one KILN_ARCH; without that the lowest
  /// real architecture that the compiler supports, said at info level. "native" is the current device's, too, and needs
  /// one; "native-a" is that with the features of this architecture alone (sm_90a), "native-f" with those of its family
  /// (sm_100f), each the plain one where the device has none. A module compiles these anew for another device.
  std::string arch = {};
  Target target = Target::cubin;  ///< what is made
  /// Automatic is NVRTC, and nvcc where NVRTC is missing or cannot do it; KILN_BACKEND (auto, nvrtc or nvcc) decides
  /// instead where it is set.
  Backend backend = Backend::automatic;
  /// The source's name in diagnostics and __FILE__. Quoted includes are looked for beside it. Empty: "kernel.cu".
  std::string name = {};
  /// In-memory headers, by name: as files in a folder that is searched before all others, "../x.h" and so on included.
  std::map<std::string, std::string> headers = {};
  /// Gives further in-memory headers, when they are needed: asked once for each name that the source, a header of its
  /// own or one of `headers` includes and `headers` lack, before anything is looked up or compiled. What it gives is as
  /// if it stood in `headers`, also in the cache's key: a text that changed is compiled anew. Nothing: the header is
  /// searched for as without it. Names are normal ones, and of a quoted name in "a/x.h" the one beside it comes first:
  /// "a/y.h", then "y.h". Every include and `__has_include` counts, also where a condition leaves it out; not asked for
  /// is what a macro names, and what a file on the disk includes. Called on the thread that compiles, of compile_all()
  /// on its threads, so perhaps on several at once. What it throws ends the compile and is thrown by it.
  HeaderCallback header_callback = {};
  /// Template instances to make, such as "ns::scale<float, 4>"; CodeObject::lowered_name finds them again.
  std::vector<std::string> name_expressions = {};
  /// False compiles anew and stores nothing. KILN_DISABLE_CACHE (or PYCUDA_DISABLE_CACHE), at any value, does the same.
  bool cache = true;
  CacheOptions caching = {};  ///< where code is kept and looked for
  /// Compiles anew, and keeps what the compiler was given and what it made: source, headers, options, log, code; of
  /// nvcc its command line and intermediate files too. The folder's place is said at warn level, and in the error where
  /// the compile fails.
  bool keep = false;
  /// Keeps the PTX that a cubin was made of, too: CodeObject::ptx() has it. Such code is an entry of its own in the
  /// cache, which is larger by the PTX. For target cubin; ptx is PTX anyway.
  bool keep_ptx = false;
  /// Measures where the time goes, for CodeObject::timing(). The code is the same, and so is its entry in the cache,
  /// which is looked up as without timing. A compile takes longer: NVRTC's front end runs once more, to measure the
  /// headers; nvcc compiles a second time. For CUDA C++.
  bool timing = false;
  /// False wraps the source in extern "C" { }, as PyCUDA does by default; lines keep their numbers. Unset and true
  /// compile it unchanged.
  std::optional<bool> no_extern_c = {};
  NvccOptions nvcc = {};  ///< where nvcc compiles
  /// What the source is. nvvm_ir: one module, text or bitcode; libdevice is added where it declares functions of it.
  /// Members that say nothing about IR must be unset. Several modules: kiln::nvvm::Program. docs/nvvm.md has the rules.
  Language language = Language::cuda;
  /// The compile is ended, and throws CompileStopped, when it has taken so long; waiting for another's equal compile
  /// counts in. Zero: no limit.
  std::chrono::milliseconds timeout = {};
  /// The compile is ended, and throws CompileStopped, when this is cancelled.
  CancelToken cancel = {};

  /// A copy in which one member has another value: options.with(&CompileOptions::timeout, 5s). For C++17, which has no
  /// designated initialisers; the functions below are this for the members that programs set most.
  template <class Member>
  CompileOptions with(Member CompileOptions::*member, std::common_type_t<Member> value) const {
    CompileOptions copy = *this;
    copy.*member = std::move(value);
    return copy;
  }

  /// A copy with another value of the member of that name.
  /// @{
  CompileOptions with_options(std::vector<std::string> value) const {
    return with(&CompileOptions::options, std::move(value));
  }
  CompileOptions with_include_dirs(std::vector<std::filesystem::path> value) const {
    return with(&CompileOptions::include_dirs, std::move(value));
  }
  CompileOptions with_defines(std::vector<Define> value) const {
    return with(&CompileOptions::defines, std::move(value));
  }
  CompileOptions with_late_defines(std::vector<Define> value) const {
    return with(&CompileOptions::late_defines, std::move(value));
  }
  CompileOptions with_arch(std::string value) const { return with(&CompileOptions::arch, std::move(value)); }
  CompileOptions with_target(Target value) const { return with(&CompileOptions::target, value); }
  CompileOptions with_backend(Backend value) const { return with(&CompileOptions::backend, value); }
  CompileOptions with_name(std::string value) const { return with(&CompileOptions::name, std::move(value)); }
  CompileOptions with_headers(std::map<std::string, std::string> value) const {
    return with(&CompileOptions::headers, std::move(value));
  }
  CompileOptions with_header_callback(HeaderCallback value) const {
    return with(&CompileOptions::header_callback, std::move(value));
  }
  CompileOptions with_name_expressions(std::vector<std::string> value) const {
    return with(&CompileOptions::name_expressions, std::move(value));
  }
  CompileOptions with_cache(bool value) const { return with(&CompileOptions::cache, value); }
  CompileOptions with_caching(CacheOptions value) const { return with(&CompileOptions::caching, std::move(value)); }
  CompileOptions with_no_extern_c(std::optional<bool> value) const { return with(&CompileOptions::no_extern_c, value); }
  CompileOptions with_nvcc(NvccOptions value) const { return with(&CompileOptions::nvcc, std::move(value)); }
  /// @}
};

}  // namespace kiln
