#include "compile/nvvm_compile.hpp"

#include "base/argument_error.hpp"
#include "compile/compiler/stopped.hpp"
#include "compile/ir_maker.hpp"
#include "compile/jobs/worker_compile.hpp"
#include "compile/link/link.hpp"
#include "compile/nvvm/nvvm_request.hpp"
#include "compile/store/code_cache.hpp"
#include "compile/store/keyed_code.hpp"
#include "toolkit/locate/component_finder.hpp"

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

/// By libnvvm, in a worker, and the linker.
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
  code->effective_options = std::move(made.options);
  if (made.target != Target::cubin) {
    code->own(std::move(made.code));
    return code;
  }
  const CodeObject linked = link(request, made);
  throw_if_due();
  if (request.request.job.keep_ptx) code->ptx = std::move(made.code);
  // A driver that takes PTX only links to PTX.
  code->target = linked.target();
  code->arch = linked.arch();
  code->parameter_kinds = linked.data()->parameter_kinds;
  if (!linked.log().empty()) code->log += (code->log.empty() ? "" : "\n") + linked.log();
  code->own(std::string(linked.bytes()));
  return code;
}

/// What to say of it where nothing may be compiled.
WantedCode wanted_from_cache(const IrRequest& request, const CompileOptions& options) {
  WantedCode wanted{request.name, request.request.context.device_arch, "libnvvm"};
  if (request.request.explicit_arch) wanted.arch = request.request.explicit_arch->text();
  if (!is_cacheable(options)) wanted.reasons = {"the cache is switched off for it"};
  return wanted;
}

KeyedWork work_of(const IrRequest& request, const CompileOptions& options, std::string maker) {
  KeyedWork work;
  work.name = request.name;
  work.key = ir_key(request, maker);
  work.maker = std::move(maker);
  work.stop = request.stop;
  if (requires_hit(options.caching)) work.wanted_from_cache = wanted_from_cache(request, options);
  work.make = [&request] { return make_ir_code(request); };
  work.finish = [&request, &options](CodeData& code) {
    code.recipe = std::make_shared<const Recipe>(Recipe{std::string(request.ir), options});
  };
  return work;
}

/// On a machine without libnvvm, libdevice or nvJitLink: what another machine made.
std::optional<CodeObject> find_elsewhere(const IrRequest& request, const CompileOptions& options,
                                         Counting counting = Counting::on) {
  for (const std::string& maker : makers_in_caches(&options.caching))
    if (is_ir_maker(maker))
      if (auto found = find_made(work_of(request, options, maker), &options.caching, counting)) return found;
  return std::nullopt;
}

[[noreturn]] void throw_what_is_missing(const IrRequest& request) {
  require_nvvm();
  libdevice_for_job(request);
  try {
    require_nvjitlink();
  } catch (const ToolkitError& error) {
    throw ToolkitError("\"" + request.name +
                           "\" can become PTX here (target ptx) but no cubin: there is no driver that could link, "
                           "and " +
                           error.what(),
                       error.searched());
  }
  throw ToolkitError("what compiles NVVM IR came while it was looked for; compile again", {});
}

std::optional<std::string> maker_here(const IrRequest& request, const CompileOptions& options) {
  CodeCache cache(options.caching);
  return ir_maker_here(request, cache.own_folder());
}

}  // namespace

CodeObject compile_ir(std::string_view ir, const CompileOptions& options, const CompileContext& context,
                      const Stop& stop, CallTiming* timing) {
  if (context.plain)
    throw_argument_error("compile_plain runs nvcc, which takes no LLVM IR: use compile", "Language::cuda", "nvvm_ir");
  const IrRequest request = make_ir_request(ir, options, context, stop);
  const auto work = [&](std::string maker) {
    KeyedWork made = work_of(request, options, std::move(maker));
    made.timing = timing;
    return made;
  };
  if (!is_cacheable(options)) return find_or_make(work({}), nullptr);
  if (auto maker = maker_here(request, options)) return find_or_make(work(*std::move(maker)), &options.caching);
  if (auto found = find_elsewhere(request, options)) return *std::move(found);
  if (requires_hit(options.caching)) throw_not_cached(wanted_from_cache(request, options), {});
  throw_what_is_missing(request);
}

std::optional<CodeObject> find_ir_code(std::string_view ir, const CompileOptions& options,
                                       const CompileContext& context, Counting counting) {
  if (context.plain || !is_cacheable(options)) return std::nullopt;
  const IrRequest request = make_ir_request(ir, options, context, {});
  auto maker = maker_here(request, options);
  if (!maker) return find_elsewhere(request, options, counting);
  return find_made(work_of(request, options, *std::move(maker)), &options.caching, counting);
}

std::optional<std::string> ir_key_here(std::string_view ir, const CompileOptions& options,
                                       const CompileContext& context) {
  const IrRequest request = make_ir_request(ir, options, context, {});
  const auto maker = maker_here(request, options);
  return maker ? std::optional(ir_key(request, *maker)) : std::nullopt;
}

std::optional<PortableCode> find_portable_ir(std::string_view ir, const CompileOptions& options,
                                             const CompileContext& context) {
  const IrRequest request = make_ir_request(ir, options, context, {});
  auto maker = maker_here(request, options);
  return maker ? find_portable(work_of(request, options, *std::move(maker)), options.caching) : std::nullopt;
}

std::optional<CodeObject> accept_ir(std::string_view ir, const CompileOptions& options, const CompileContext& context,
                                    PortableCode code, bool from_cache) {
  const IrRequest request = make_ir_request(ir, options, context, {});
  auto maker = maker_here(request, options);
  if (!maker) return std::nullopt;
  return accept_made(work_of(request, options, *std::move(maker)), options.caching, std::move(code), from_cache);
}

std::optional<CodeObject> find_ir_code_in(CodeCache& cache, std::string_view ir, const CompileOptions& options,
                                          const CompileContext& context) {
  const IrRequest request = make_ir_request(ir, options, context, {});
  if (auto maker = ir_maker_here(request, cache.own_folder()))
    return find_made_in(cache, work_of(request, options, *std::move(maker)), options.caching);
  for (const std::string& maker : cache.makers())
    if (is_ir_maker(maker))
      if (auto found = find_made_in(cache, work_of(request, options, maker), options.caching)) return found;
  return std::nullopt;
}

}  // namespace kiln
