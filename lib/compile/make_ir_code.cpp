#include "compile/make_ir_code.hpp"

#include "base/files.hpp"
#include "base/log.hpp"
#include "base/version_text.hpp"
#include "compile/compile_message.hpp"
#include "compile/large_stack.hpp"
#include "compile/link.hpp"
#include "compile/make_code.hpp"
#include "compile/nvvm_archs.hpp"
#include "compile/nvvm_failure.hpp"
#include "compile/stopped.hpp"
#include "compile/used_kernels.hpp"
#include "toolkit/component_finder.hpp"

#include <kiln/error.hpp>
#include <kiln/nvvm.hpp>

#include <algorithm>
#include <utility>

namespace kiln {

namespace {

std::string nvvm_title() { return "libnvvm " + version_text(nvvm::version()); }

/// One compile on its way from the IR to the code.
class IrCompile {
 public:
  explicit IrCompile(const IrRequest& asked) : asked_(asked), request_(asked.request), title_(nvvm_title()) {
    choose_arch(request_, nvvm_archs(), title_);
    if (!request_.explicit_arch && request_.wish.device_arch.empty())
      inform(request_, "no device and no arch given: compiling for " + request_.job.arch + ", the lowest that " +
                           title_ + " makes");
    options_ = request_.job.arguments;
    options_.push_back("-arch=" + virtual_arch());
    if (request_.job.target == Target::ltoir) options_.emplace_back("-gen-lto");
  }

  std::shared_ptr<CodeData> run() {
    if (const auto problem = problem_of(asked_.ir, read_ir(asked_.ir))) throw_problem(*problem);
    throw_if_due();
    run_on_large_stack([this] { compile(); });
    throw_if_due();
    if (request_.job.target == Target::cubin) link();
    throw_if_due();
    auto made = std::make_shared<CodeData>();
    made->target = request_.job.target;
    made->arch = request_.job.arch;
    made->backend = Backend::nvvm;
    made->name = asked_.name;
    made->log = std::move(log_);
    made->parameter_kinds = std::move(kinds_);
    made->own(std::move(code_));
    return made;
  }

 private:
  void compile() {
    std::string used;
    if (request_.job.target == Target::ltoir) {
      // Bitcode tells no names; what is compiled of it does.
      used = module_that_uses_kernels(compile_modules({"-arch=" + virtual_arch(), "-opt=0"}, {}));
      throw_if_due();
    }
    code_ = compile_modules(options_, used);
  }

  std::string compile_modules(const std::vector<std::string>& options, const std::string& more) {
    nvvm::Program program;
    program.add_module(asked_.ir, asked_.name);
    if (!more.empty()) program.add_module(more, "used kernels");
    if (!asked_.libdevice.empty())
      program.lazy_add_module(read_named_file(require_libdevice_for(asked_)), "libdevice.10.bc");
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

  /// The PTX becomes machine code. Not cached for itself: the whole way has one entry.
  void link() {
    LinkJob job;
    job.options.arch = request_.job.arch;
    job.options.backend = ir_linker();
    job.options.debug = std::find(options_.begin(), options_.end(), "-g") != options_.end();
    job.options.cache = false;
    job.options.name = asked_.name;
    try {
      job.add_data(code_, InputType::ptx, asked_.name);
      const CodeObject linked = link_for(job);
      // A driver that takes PTX only links to PTX.
      request_.job.target = linked.target();
      request_.job.arch = linked.arch();
      code_ = linked.bytes();
      kinds_ = linked.data()->parameter_kinds;
      if (!linked.log().empty()) log_ += (log_.empty() ? "" : "\n") + linked.log();
    } catch (const LinkError& error) {
      throw CompileError("libnvvm made PTX of \"" + asked_.name + "\", which could not become a cubin: " + error.what(),
                         error.error_log(), error.options());
    }
  }

  void throw_if_due() const {
    if (asked_.stop.is_due()) throw_stopped(asked_.name, asked_.stop, Stop::Clock::now() - start_);
  }

  [[noreturn]] void throw_problem(const std::string& problem) const {
    throw CompileError("\"" + asked_.name + "\" is not NVVM IR that " + title_ + " compiles: " + problem, {}, options_);
  }

  [[noreturn]] void throw_failure(const std::string& log) const {
    const IrFacts facts = read_ir(asked_.ir);
    FailedCompile failed{title_,  asked_.name, facts.is_bitcode ? std::string_view() : asked_.ir,
                         nullptr, log,         options_};
    failed.advice = advice_for(log, facts, parse_arch(request_.job.arch), version_text(nvvm::ir_version().ir));
    throw CompileError(compile_message(failed), log, options_);
  }

  const IrRequest& asked_;
  const Stop::Clock::time_point start_ = Stop::Clock::now();
  Request request_;
  const std::string title_;
  std::vector<std::string> options_;  // as libnvvm takes them
  std::string code_;
  std::string log_;
  ParameterKinds kinds_;
};

}  // namespace

std::shared_ptr<CodeData> make_ir_code(const IrRequest& request) { return IrCompile(request).run(); }

std::string require_libdevice_for(const IrRequest& request) {
  try {
    return require_libdevice();
  } catch (const ToolkitError& error) {
    std::string names;
    for (const std::string& name : request.libdevice) names += (names.empty() ? "" : ", ") + name;
    throw ToolkitError("\"" + request.name + "\" declares " + names + ", which libdevice has: " + error.what(),
                       error.searched());
  }
}

}  // namespace kiln
