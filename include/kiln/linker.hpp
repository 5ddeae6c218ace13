// Linker: several pieces of compiled code to one that loads. Needs no GPU; through the cache.
#pragma once

#include <kiln/cache_options.hpp>
#include <kiln/code_object.hpp>
#include <kiln/compile_options.hpp>
#include <kiln/export.hpp>

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace kiln {

/// What a linker's input is. `detect`: by its bytes. Counterparts: pycuda.driver.jit_input_type, CU_JIT_INPUT_...,
/// NVJITLINK_INPUT_....
enum class InputType { detect, cubin, ptx, fatbin, object, library, ltoir, nvvm_ir };

/// How to link. An aggregate, a plain value: C++20 writes {.arch = "sm_90"}, C++17 chains
/// LinkOptions{}.with(&LinkOptions::arch, "sm_90"). What CompileOptions have, too, is in the same order here.
struct LinkOptions {
  /// In nvJitLink's spelling, after those that the other members make.
  std::vector<std::string> options = {};
  /// "sm_90". Empty: the current device's where this process uses the driver already, else KILN_ARCH, else the newest
  /// that an input is for; a Module links again for the device that it finds. "native", "native-a" and "native-f" as
  /// CompileOptions::arch has them: without a driver in use they are an ArgumentError.
  std::string arch = {};
  /// cubin; ptx, which needs link-time optimisation; ltoir, where nvJitLink has it (13.3).
  Target target = Target::cubin;
  /// Automatic, nvjitlink or driver (cuLink...). Automatic is nvJitLink, and the driver where that is missing, too old
  /// for an input, or newer than the driver in use. docs/linking.md has the rule.
  Backend backend = Backend::automatic;
  /// The linked code's name in errors and in `kiln cache list`. Empty: "linked".
  std::string name = {};
  bool cache = true;          ///< as CompileOptions::cache
  CacheOptions caching = {};  ///< as CompileOptions::caching
  /// Link-time optimisation. Unset: where an input is LTO-IR.
  std::optional<bool> lto = {};
  /// 0 to 3. Unset: the linker's own, 3.
  std::optional<int> optimization = {};
  /// Of a thread.
  std::optional<int> max_registers = {};
  bool debug = false;     ///< keeps debug information
  bool lineinfo = false;  ///< keeps line information
  /// As the compiler's options of these names, for what link-time optimisation compiles. Unset: the linker's own.
  /// @{
  std::optional<bool> ftz = {};
  std::optional<bool> prec_div = {};
  std::optional<bool> prec_sqrt = {};
  std::optional<bool> fma = {};
  /// @}
  /// With link-time optimisation: the kernels and variables to keep; all others may be dropped. Names are symbols, or
  /// what Module::get_function and get_global take; a name that matches several keeps all of them. A name that matches
  /// nothing is an ArgumentError that lists the available names. More may stay: nvJitLink keeps symbols that contain a
  /// kept one's. @{
  std::vector<std::string> kernels_used = {};
  /// Kernels read the initial value of a variable that is dropped.
  std::vector<std::string> variables_used = {};
  /// @}
  /// With link-time optimisation: drops variables that no kernel reads or writes, except those of variables_used. If
  /// not all inputs are LTO-IR, all stay.
  bool optimize_unused_variables = false;
  /// Threads for link-time optimisation; 0 is one for each processor.
  std::optional<int> split_compile = {};
  /// For ptxas, such as "-v".
  std::vector<std::string> ptxas_options = {};
  /// Fills CodeObject::log() with what the linker reports of its work. Counterpart: PyCUDA's log_verbose.
  bool verbose = false;
  /// Called with success, info log and error log at the end of each link that Linker::link runs, on its thread; not
  /// where the cache has the code. What it throws, link() throws, and nothing is kept. Counterpart: PyCUDA's
  /// message_handler.
  std::function<void(bool success, const std::string& info_log, const std::string& error_log)> message_handler = {};

  /// A copy in which one member has another value.
  template <class Member>
  LinkOptions with(Member LinkOptions::*member, std::common_type_t<Member> value) const {
    LinkOptions copy = *this;
    copy.*member = std::move(value);
    return copy;
  }
};

/// Inputs, and what they are linked to. Every add function checks what it is given at once, and returns the linker. May
/// be moved, and throws ArgumentError then; one object must not be used by two threads at once. Counterparts:
/// pycuda.driver.Linker, cuda.core.Linker.
class KILN_EXPORT Linker {
 public:
  /// Throws ArgumentError for options that make no sense.
  explicit Linker(LinkOptions options = {});
  Linker(Linker&&) noexcept;
  Linker& operator=(Linker&&) noexcept;
  ~Linker();

  /// Compiled code: PTX, relocatable cubin, fatbin or LTO-IR (option "-rdc=true" or target ltoir). Throws ArgumentError
  /// for OptiX-IR.
  Linker& add(const CodeObject& code, std::string name = {});
  /// Bytes, which are copied; `name` is how errors call them. Throws ArgumentError where they are not of that type.
  /// Counterparts: Linker.add_data, cuLinkAddData, nvJitLinkAddData.
  Linker& add_data(std::string_view bytes, InputType type = InputType::detect, std::string name = {});
  /// A file, read now. Throws Error where it cannot be read. Counterparts: Linker.add_file, nvJitLinkAddFile.
  Linker& add_file(const std::filesystem::path& path, InputType type = InputType::detect);
  /// A library of the toolkit's, such as "cudadevrt" (libcudadevrt.a). Throws ToolkitError with what was searched.
  Linker& add_stdlib(const std::string& name);

  /// Links, or finds the same link in memory or on disk: its key holds all inputs, options and the linker. May be
  /// called again, also after more was added. Throws LinkError (with both logs; an undefined symbol is named with the
  /// input that wants it), ToolkitError (no linker can do it: which were looked at, and why not), ArgumentError (no
  /// input, options that make no sense). Counterparts: Linker.link_module, cuLinkComplete, nvJitLinkComplete.
  CodeObject link() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace kiln
