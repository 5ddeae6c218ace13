#include "compile/ir_compile.hpp"

#include "base/keep_first.hpp"
#include "compile/compiler/stopped.hpp"
#include "compile/identity/tool_digests.hpp"
#include "compile/jobs/worker_compile.hpp"
#include "compile/link/link.hpp"
#include "toolkit/locate/component_finder.hpp"

#include <kiln/error.hpp>

#include <algorithm>
#include <atomic>
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

/// "+driver:13.0"; nothing where there is no driver either.
std::optional<std::string> identity_of_driver() {
  const LinkersHere here;
  if (!here.driver().version) return std::nullopt;
  return "+" + here.identity_of_driver().text;
}

/// Who makes cubins of PTX on this machine: nvJitLink, or the driver where there is none.
Backend ir_linker() { return found_file<find_nvjitlink>() != nullptr ? Backend::nvjitlink : Backend::driver; }

/// The PTX becomes machine code. Not cached for itself: the whole way has one entry.
CodeObject link(const Request& request, const NvvmCode& made) {
  const std::vector<std::string>& options = request.job.arguments;
  LinkJob job;
  job.options.arch = made.arch;
  job.options.backend = ir_linker();
  job.options.debug = std::find(options.begin(), options.end(), "-g") != options.end();
  job.options.cache = false;
  job.options.name = request.job.name;
  try {
    job.add_data(made.code, InputType::ptx, request.job.name);
    return link_for(job);
  } catch (const LinkError& error) {
    throw CompileError(
        "libnvvm made PTX of \"" + request.job.name + "\", which could not become a cubin: " + error.what(),
        error.error_log(), error.options());
  }
}

}  // namespace

std::optional<ChosenCompiler> ir_compiler_here(const Request& request, CacheFolder* cache) {
  std::vector<const std::string*> files{found_file<find_nvvm>()};
  if (!request.libdevice.empty()) files.push_back(found_file<find_libdevice>());
  const bool by_driver = request.wants_cubin && ir_linker() == Backend::driver;
  if (request.wants_cubin && !by_driver) files.push_back(found_file<find_nvjitlink>());
  std::vector<std::string> paths;
  for (const std::string* file : files) {
    if (file == nullptr) return std::nullopt;
    paths.push_back(*file);
  }
  const auto driver = by_driver ? identity_of_driver() : std::string();
  if (!driver) return std::nullopt;
  return ChosenCompiler{Backend::nvvm, "nvvm:" + tools_digest(FileSystem::real(), paths, cache) + *driver, {}, true};
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

std::shared_ptr<CodeData> make_ir_code(std::string_view ir, const Request& request) {
  const auto start = Stop::Clock::now();
  const auto throw_if_due = [&] {
    if (request.job.stop.is_due()) throw_stopped(request.job.name, request.job.stop, Stop::Clock::now() - start);
  };
  NvvmCode made = run_nvvm_in_worker(ir, request);
  throw_if_due();
  auto code = std::make_shared<CodeData>();
  code->target = made.target;
  code->arch = made.arch;
  code->backend = Backend::nvvm;
  code->name = request.job.name;
  code->log = std::move(made.log);
  code->effective_options = std::move(made.options);
  if (made.target != Target::cubin) {
    code->own(std::move(made.code));
    return code;
  }
  const CodeObject linked = link(request, made);
  throw_if_due();
  if (request.job.keep_ptx) code->ptx = std::move(made.code);
  // A driver that takes PTX only links to PTX.
  code->target = linked.target();
  code->arch = linked.arch();
  code->parameter_kinds = linked.data()->parameter_kinds;
  if (!linked.log().empty()) code->log += (code->log.empty() ? "" : "\n") + linked.log();
  code->own(std::string(linked.bytes()));
  return code;
}

}  // namespace kiln
