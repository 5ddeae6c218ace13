#include "worker/nvvm/run_nvvm.hpp"

#include "base/bounded_text.hpp"
#include "base/files.hpp"
#include "base/library_version.hpp"
#include "base/range.hpp"
#include "compile/compiler/compile_message.hpp"
#include "compile/compiler/inform.hpp"
#include "compile/compiler/large_stack.hpp"
#include "compile/compiler/stopped.hpp"
#include "compile/nvvm/nvvm_ir.hpp"
#include "compile/options/misspelt_option.hpp"
#include "compile/request/request.hpp"
#include "toolkit/image/code_info.hpp"
#include "worker/nvvm/nvvm_archs.hpp"
#include "worker/nvvm/nvvm_failure.hpp"

#include <kiln/error.hpp>
#include <kiln/nvvm.hpp>

#include <utility>

namespace kiln {

namespace {

std::string nvvm_title() { return "libnvvm " + version_text(nvvm::version()); }

/// A module of NVVM IR, which libnvvm takes beside those of either dialect, that puts the kernels of this PTX into
/// @llvm.used, as nvcc does with its own: nvJitLink removes them otherwise. Empty where there is no kernel.
std::string module_that_uses_kernels(std::string_view ptx) {
  const std::vector<KernelInfo> kernels = read_ptx(ptx).kernels;
  if (kernels.empty()) return {};
  std::string declarations;
  std::string uses;
  for (const KernelInfo& kernel : kernels) {
    // Its true parameters are those of the definition, with which libnvvm joins this.
    declarations += "declare void @\"" + kernel.name + "\"()\n";
    uses += (uses.empty() ? "" : ", ") + ("i8* bitcast (void ()* @\"" + kernel.name) + "\" to i8*)";
  }
  return "target datalayout = \"" + std::string(nvvm_layout) + "\"\ntarget triple = \"" + std::string(nvvm_triple) +
         "\"\n" + declarations + "@llvm.used = appending global [" + std::to_string(kernels.size()) + " x i8*] [" +
         uses + "], section \"llvm.metadata\"\n!nvvmir.version = !{!0}\n!0 = !{i32 2, i32 0}\n";
}

/// One compile on its way from the IR to PTX or LTO-IR.
class IrCompile {
 public:
  explicit IrCompile(const NvvmJob& job) : asked_(job), request_(job.request), title_(nvvm_title()) {
    choose_arch(request_, nvvm_archs(), title_);
    if (!request_.explicit_arch && request_.context.device_arch.empty())
      inform(request_.job.name, "no device and no arch given: compiling for " + request_.job.arch +
                                    ", the lowest that " + title_ + " makes");
    options_ = request_.job.arguments;
    options_.push_back("-arch=" + virtual_arch());
    if (request_.job.target == Target::ltoir) options_.emplace_back("-gen-lto");
  }

  NvvmCode run() {
    if (const auto problem = problem_of(asked_.ir, read_ir(asked_.ir))) throw_problem(*problem);
    throw_if_due();
    NvvmCode made;
    run_on_large_stack([&] { made.code = compile(); });
    throw_if_due();
    made.log = std::move(log_);
    made.target = request_.job.target;
    made.arch = request_.job.arch;
    made.options = options_;
    return made;
  }

 private:
  std::string compile() {
    std::string used;
    if (request_.job.target == Target::ltoir) {
      // Bitcode lists no names; what is compiled of it does.
      used = module_that_uses_kernels(compile_modules({"-arch=" + virtual_arch(), "-opt=0"}, {}));
      throw_if_due();
    }
    return compile_modules(options_, used);
  }

  std::string compile_modules(const std::vector<std::string>& options, const std::string& more) {
    nvvm::Program program;
    program.add_module(asked_.ir, request_.job.name);
    if (!more.empty()) program.add_module(more, "used kernels");
    if (!asked_.libdevice.empty()) program.lazy_add_module(read_named_file(asked_.libdevice), "libdevice.10.bc");
    try {
      // Some broken IR crashes the compiler, but not the verifier.
      program.verify(options);
      program.compile(options);
    } catch (const CompileError& error) {
      throw_failure(error.log());
    }
    log_ = program.log();
    return program.result();
  }

  std::string virtual_arch() const {
    Arch arch = parse_arch(request_.job.arch);
    arch.real = false;
    return arch.text();
  }

  void throw_if_due() const {
    if (request_.job.stop.is_due()) throw_stopped(request_.job.name, request_.job.stop, Stop::Clock::now() - start_);
  }

  [[noreturn]] void throw_problem(const std::string& problem) const {
    throw CompileError(
        "\"" + request_.job.name + "\" is not NVVM IR that " + title_ + " compiles: " + bounded(problem, 4000), {},
        options_);
  }

  [[noreturn]] void throw_failure(const std::string& log) const {
    const IrFacts facts = read_ir(asked_.ir);
    FailedCompile failed{title_, request_.job.name, facts.is_bitcode ? std::string_view() : asked_.ir, nullptr,
                         log,    options_};
    failed.advice = advice_for(log, facts, parse_arch(request_.job.arch), version_text(nvvm::ir_version().ir));
    if (const std::string misspelt = misspelt_nvvm_option(options_, log); !misspelt.empty())
      failed.advice += (failed.advice.empty() ? "" : "\n") + misspelt;
    throw CompileError(compile_message(failed), log, options_);
  }

  const NvvmJob& asked_;
  const Stop::Clock::time_point start_ = Stop::Clock::now();
  Request request_;
  const std::string title_;
  std::vector<std::string> options_;  // as libnvvm takes them
  std::string log_;
};

}  // namespace

NvvmCode run_nvvm(const NvvmJob& job) {
  const Range range("stage", "libnvvm");
  return IrCompile(job).run();
}

}  // namespace kiln
