#include "compile/ir_stages.hpp"

#include "base/keep_first.hpp"
#include "compile/compiler/stopped.hpp"
#include "compile/jobs/worker_compile.hpp"
#include "compile/link/link.hpp"
#include "toolkit/locate/component_finder.hpp"

#include <kiln/error.hpp>

#include <algorithm>
#include <atomic>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace kiln {

namespace {

/// A file that is looked for until it is found, once a process.
template <std::optional<std::string> (*find)()>
const std::string* found_file() {
  static std::atomic<const std::string*> known{nullptr};
  if (const std::string* path = known.load(std::memory_order_acquire)) return path;
  auto path = find();
  return path ? &keep_first(known, std::make_unique<const std::string>(*std::move(path))) : nullptr;
}

/// Who makes cubins of PTX on this machine: nvJitLink, or the driver where there is none.
Backend ir_linker() { return found_file<find_nvjitlink>() != nullptr ? Backend::nvjitlink : Backend::driver; }

/// The PTX becomes machine code. Not cached for itself: the whole way has one entry.
CodeObject link_ptx(const Request& request, const CodeData& made) {
  const std::vector<std::string>& options = request.job.arguments;
  LinkJob job;
  job.options.arch = made.arch;
  job.options.backend = ir_linker();
  job.options.debug = std::find(options.begin(), options.end(), "-g") != options.end();
  job.options.cache = false;
  job.options.name = request.job.name;
  try {
    job.add_data(made.bytes, InputType::ptx, request.job.name);
    return link_for(job);
  } catch (const LinkError& error) {
    throw CompileError(
        "libnvvm made PTX of \"" + request.job.name + "\", which could not become a cubin: " + error.what(),
        error.error_log(), error.options());
  }
}

void throw_if_due(const Request& request, Stop::Clock::time_point start) {
  if (request.job.stop.is_due()) throw_stopped(request.job.name, request.job.stop, Stop::Clock::now() - start);
}

std::optional<StageIdentity> identity_of_libnvvm(const Request& request) {
  const std::string* const library = found_file<find_nvvm>();
  const std::string* const libdevice = request.libdevice.empty() ? nullptr : found_file<find_libdevice>();
  if (library == nullptr || (libdevice == nullptr && !request.libdevice.empty())) return std::nullopt;
  StageIdentity identity{{*library}, {}};
  if (libdevice != nullptr) identity.files.push_back(*libdevice);
  return identity;
}

/// In a worker.
void run_libnvvm(std::string_view ir, const Request& request, MadeCode& made) {
  const auto start = Stop::Clock::now();
  NvvmCode output = run_nvvm_in_worker(ir, request);
  throw_if_due(request, start);
  made.code = std::make_shared<CodeData>();
  made.code->target = output.target;
  made.code->arch = output.arch;
  made.code->backend = Backend::nvvm;
  made.code->name = request.job.name;
  made.code->log = std::move(output.log);
  made.code->effective_options = std::move(output.options);
  made.code->own(std::move(output.code));
}

std::optional<StageIdentity> identity_of_ir_linker() {
  if (ir_linker() == Backend::nvjitlink) return StageIdentity{{*found_file<find_nvjitlink>()}, {}};
  const LinkersHere here;
  if (!here.driver().version) return std::nullopt;
  return StageIdentity{{}, "+" + here.identity_of_driver().text};
}

/// Not of a device that libnvvm does not know: that gets PTX.
void run_ir_linker(const Request& request, MadeCode& made) {
  CodeData& code = *made.code;
  if (code.target != Target::cubin) return;
  const auto start = Stop::Clock::now();
  const CodeObject linked = link_ptx(request, code);
  throw_if_due(request, start);
  if (request.job.keep_ptx) code.ptx = std::string(code.bytes);
  // A driver that takes PTX only links to PTX.
  code.target = linked.target();
  code.arch = linked.arch();
  code.parameter_kinds = linked.data()->parameter_kinds;
  if (!linked.log().empty()) code.log += (code.log.empty() ? "" : "\n") + linked.log();
  code.own(std::string(linked.bytes()));
}

}  // namespace

Stages ir_stages(std::string_view ir, const Request& request) {
  Stages stages = {{[&request] { return identity_of_libnvvm(request); },
                    [ir, &request](MadeCode& made) { run_libnvvm(ir, request, made); }}};
  if (request.wants_cubin)
    stages.push_back({identity_of_ir_linker, [&request](MadeCode& made) { run_ir_linker(request, made); }});
  return stages;
}

std::optional<ChosenCompiler> ir_compiler_here(const Request& request, CacheFolder* cache) {
  std::vector<StageIdentity> identities;
  for (const Stage& stage : ir_stages({}, request)) {
    auto identity = stage.identity();
    if (!identity) return std::nullopt;
    identities.push_back(*std::move(identity));
  }
  return ChosenCompiler{Backend::nvvm, maker_of("nvvm:", identities, cache), {}, true};
}

void throw_no_ir_compiler(const Request& request) {
  require_nvvm();
  libdevice_for_job(request);
  try {
    require_nvjitlink();
  } catch (const ToolkitError& error) {
    throw ToolkitError("\"" + request.job.name +
                           "\" can become PTX here (target ptx) but no cubin: there is no driver that could link, "
                           "and " +
                           error.what(),
                       error.searched());
  }
  throw ToolkitError("what compiles NVVM IR came while it was looked for; compile again", {});
}

}  // namespace kiln
