#include "base/argument_error.hpp"
#include "base/files.hpp"
#include "toolkit/libraries/call_text.hpp"
#include "toolkit/libraries/held.hpp"
#include "toolkit/libraries/nvrtc_use.hpp"
#include "toolkit/libraries/nvvm_library.hpp"
#include "toolkit/libraries/result_names.hpp"
#include "toolkit/locate/component_finder.hpp"

#include <kiln/error.hpp>
#include <kiln/nvvm.hpp>

#include <utility>

namespace kiln::nvvm {
namespace {

[[noreturn]] void fail(int result, const char* call, const std::string& subject = {}, const std::string& log = {},
                       const std::vector<std::string>& options = {}) {
  throw CompileError(call_text({call, "libnvvm", nvvm_result_name(result), subject, log, options}), log, options);
}

void check(int result, const char* call, const std::string& subject = {}) {
  if (result != 0) fail(result, call, subject);
}

}  // namespace

std::pair<int, int> version() { return NvvmLibrary::get().version_number(); }

std::string library_path() { return NvvmLibrary::get().path; }

IrVersion ir_version() {
  const NvvmIrVersion number = NvvmLibrary::get().ir_version();
  return {{number.major, number.minor}, {number.debug_major, number.debug_minor}};
}

int llvm_version(const std::string& arch) {
  int major = 0;
  check(NvvmLibrary::get().llvm_version(arch.c_str(), &major), "nvvmLLVMVersion", arch);
  return major;
}

std::string error_string(int result) {
  const std::string text = NvvmLibrary::get().get_error_string(result);
  return text.find("not found") == std::string::npos ? text : nvvm_result_name(result);
}

struct Program::Impl {
  explicit Impl(NvvmProgram adopted) : program(adopted) {}
  Impl() {
    const NvrtcUse use;
    check(library.create_program(&program), "nvvmCreateProgram");
  }
  ~Impl() {
    if (program == nullptr) return;
    try {
      const NvrtcUse use;
      library.destroy_program(&program);
    } catch (...) {
      // libnvvm cannot be used in this child of fork.
    }
  }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  using AddModule = int (*)(NvvmProgram, const char*, std::size_t, const char*);
  void add(AddModule add_module, const char* call, std::string_view ir, const std::string& name) const {
    const NvrtcUse use;
    check(add_module(program, ir.data(), ir.size(), name.empty() ? nullptr : name.c_str()), call, name);
  }

  using Run = int (*)(NvvmProgram, int, const char* const*);
  void run(Run function, const char* call, const std::vector<std::string>& options) const {
    const NvrtcUse use;
    const std::vector<const char*> pointers = option_pointers(options);
    const int result = function(program, static_cast<int>(pointers.size()), pointers.data());
    if (result != 0) fail(result, call, {}, log(), options);
  }

  std::string log() const {
    return as_log(sized_output(library.get_program_log_size, library.get_program_log, program,
                               [](int result) { check(result, "nvvmGetProgramLog"); }));
  }

  const NvvmLibrary& library = NvvmLibrary::get();
  NvvmProgram program = nullptr;
};

Program::Program() : impl_(std::make_unique<Impl>()) {}
Program::Program(std::unique_ptr<Impl> impl) noexcept : impl_(std::move(impl)) {}
Program::~Program() = default;
Program::Program(Program&&) noexcept = default;
Program& Program::operator=(Program&&) noexcept = default;
Program::Impl& Program::impl() const { return held(impl_, "nvvm::Program", "a program of libnvvm"); }

Program Program::adopt(nvvmProgram handle) {
  if (handle == nullptr) refuse("nvvm::Program::adopt: handle", "a program of libnvvm", "null");
  return Program(std::make_unique<Impl>(handle));
}

nvvmProgram Program::native_handle() const noexcept { return impl_ ? impl_->program : nullptr; }

nvvmProgram Program::release() noexcept {
  nvvmProgram handle = impl_ ? std::exchange(impl_->program, nullptr) : nullptr;
  impl_.reset();
  return handle;
}

void Program::add_module(std::string_view ir, const std::string& name) {
  impl().add(impl().library.add_module_to_program, "nvvmAddModuleToProgram", ir, name);
}

void Program::lazy_add_module(std::string_view bitcode, const std::string& name) {
  impl().add(impl().library.lazy_add_module_to_program, "nvvmLazyAddModuleToProgram", bitcode, name);
}

void Program::add_libdevice() {
  const std::string path = require_libdevice();
  lazy_add_module(read_named_file(path), "libdevice.10.bc");
}

void Program::verify(const std::vector<std::string>& options) {
  impl().run(impl().library.verify_program, "nvvmVerifyProgram", options);
}

void Program::compile(const std::vector<std::string>& options) {
  impl().run(impl().library.compile_program, "nvvmCompileProgram", options);
}

std::string Program::result() const {
  std::string code = sized_output(impl().library.get_compiled_result_size, impl().library.get_compiled_result,
                                  impl().program, [](int result) { check(result, "nvvmGetCompiledResult"); });
  // LTO-IR has zeros before its end; of PTX the end is counted with it.
  const std::size_t text_size = code.find_last_not_of('\0') + 1;  // npos + 1 is 0
  return code.find('\0') < text_size ? code : without_zeros(std::move(code));
}

std::string Program::log() const { return impl().log(); }

}  // namespace kiln::nvvm
