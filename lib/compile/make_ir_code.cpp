#include "compile/make_ir_code.hpp"

#include "compile/compiler/stopped.hpp"
#include "compile/ir_maker.hpp"
#include "compile/jobs/worker_compile.hpp"
#include "compile/link/link.hpp"

#include <kiln/error.hpp>

#include <algorithm>
#include <utility>

namespace kiln {

namespace {

/// The PTX becomes machine code. Not cached for itself: the whole way has one entry.
CodeObject link(const IrRequest& request, const NvvmCode& made) {
  const std::vector<std::string>& options = request.request.job.arguments;
  LinkJob job;
  job.options.arch = made.arch;
  job.options.backend = ir_linker();
  job.options.debug = std::find(options.begin(), options.end(), "-g") != options.end();
  job.options.cache = false;
  job.options.name = request.name;
  try {
    job.add_data(made.code, InputType::ptx, request.name);
    return link_for(job);
  } catch (const LinkError& error) {
    throw CompileError("libnvvm made PTX of \"" + request.name + "\", which could not become a cubin: " + error.what(),
                       error.error_log(), error.options());
  }
}

}  // namespace

std::shared_ptr<CodeData> make_ir_code(const IrRequest& request) {
  const auto start = Stop::Clock::now();
  const auto throw_if_due = [&] {
    if (request.stop.is_due()) throw_stopped(request.name, request.stop, Stop::Clock::now() - start);
  };
  NvvmCode made = run_nvvm_in_worker(request);
  throw_if_due();
  auto code = std::make_shared<CodeData>();
  code->target = made.target;
  code->arch = made.arch;
  code->backend = Backend::nvvm;
  code->name = request.name;
  code->log = std::move(made.log);
  if (made.target != Target::cubin) {
    code->own(std::move(made.code));
    return code;
  }
  const CodeObject linked = link(request, made);
  throw_if_due();
  // A driver that takes PTX only links to PTX.
  code->target = linked.target();
  code->arch = linked.arch();
  code->parameter_kinds = linked.data()->parameter_kinds;
  if (!linked.log().empty()) code->log += (code->log.empty() ? "" : "\n") + linked.log();
  code->own(std::string(linked.bytes()));
  return code;
}

}  // namespace kiln
