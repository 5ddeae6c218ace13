#include "compile/source_compile.hpp"

#include "base/log.hpp"
#include "base/temporary_folder.hpp"
#include "cache/location.hpp"
#include "cache/pch_location.hpp"
#include "compile/ir_stages.hpp"
#include "compile/jobs/job_library.hpp"
#include "compile/jobs/run_in_worker.hpp"
#include "compile/jobs/worker_compile.hpp"
#include "compile/options/target_name.hpp"
#include "compile/request/bundled_headers.hpp"

#include <utility>

namespace kiln {

namespace {

/// False where no process can be started, or NVRTC cannot do it.
bool unpack_in_worker(const Request& request, const std::string& folder) try {
  const JobHead head = job_head<UnpackHeadersJob>(nvrtc_for_job(request.compiler.identity));
  run_job(head, UnpackHeadersJob{folder}, {request.job.name, "NVRTC", request.job.stop});
  return true;
} catch (const CompileStopped&) {
  throw;
} catch (const Error& error) {
  log_message(LogLevel::info, error.what());
  return false;
}

/// Where the request needs them, has a worker unpack them into the cache folder, once for all processes, and uses them.
/// Where there is no folder, or this fails, the request still needs them: who compiles unpacks them for itself. Throws
/// CompileStopped.
void unpack_bundled_headers(Request& request, CacheFolder* cache) {
  if (cache == nullptr || !request.compiler.uses_bundled_headers()) return;
  KeptTree tree = bundled_headers_in(*cache, request.compiler);
  const auto unpack = [&request](const std::string& folder) { return unpack_in_worker(request, folder); };
  if (needs_bundled_headers(request) && tree.make(unpack, request.job.stop)) use_bundled_headers(request, tree.path());
  if (!request.search.toolkit.empty()) tree.stamp();
}

/// After a compile that failed: whether the request's unpacked headers were damaged, or removed meanwhile, and are
/// whole now, so that it is worth another compile. Reads them all.
bool have_repaired_headers(Request& request, CacheFolder* cache) {
  if (cache == nullptr || !request.compiler.uses_bundled_headers() || request.search.toolkit.empty()) return false;
  KeptTree tree = bundled_headers_in(*cache, request.compiler);
  if (tree.is_whole()) return false;
  log_message(LogLevel::warn, "the headers of NVRTC in " + tree.path() + " were damaged, and are unpacked again");
  return tree.repair([&request](const std::string& folder) { return unpack_in_worker(request, folder); },
                     request.job.stop);
}

}  // namespace

SourceCompile::SourceCompile(const CompileInput& input, Request request, CodeCache& cache)
    : CachedCompile(cache), input_(input), request_(std::move(request)) {
  request_.job.stop = input.stop;
}

std::optional<WantedCode> SourceCompile::wanted_from_cache() const {
  if (!requires_hit(input_.options.caching)) return std::nullopt;
  WantedCode wanted{request_.job.name, input_.context.device_arch, compiler_title(request_.compiler.backend)};
  if (request_.explicit_arch) wanted.arch = request_.explicit_arch->text();
  if (!request_.job.arch.empty()) wanted.arch = request_.job.arch;
  wanted.instances = input_.options.name_expressions;
  if (!input_.is_kept()) wanted.reasons = {"the cache is switched off for it"};
  if (is_refused()) wanted.reasons = {"its code is never kept: " + request_.refusal.text};
  return wanted;
}

/// Code that is kept may be made with precompiled headers, which are kept too. nvcc has none.
PchPlace SourceCompile::pch_place() const {
  const CacheFolder* const folder = cache().own_folder();
  if (folder == nullptr || folder->state() == CacheFolder::State::refused) return {};
  if (pch_disabled() || request_.compiler.backend == Backend::nvcc) return {};
  if (auto location = pch_location(FileSystem::real(), folder->root()))
    return {*std::move(location), pch_size_limit(), temporary_files()};
  return {};
}

MadeCode SourceCompile::compile() {
  MadeCode made;
  for (const Stage& stage : stages()) {
    stage.run(made);
    if (made.nvcc_needed) break;
  }
  if (is_refused()) made.headers.refusal = request_.refusal;
  return made;
}

Stages SourceCompile::stages() {
  if (request_.compiler.backend == Backend::nvvm) return ir_stages(input_.source, request_);
  return {{{}, [this](MadeCode& made) { made = run_front_end(); }}};
}

/// NVRTC or nvcc, in a worker. A compile that failed for damaged headers is done again. What must not be kept needs no
/// list of what it depends on.
MadeCode SourceCompile::run_front_end() {
  unpack_bundled_headers(request_, cache().own_folder());
  const PchPlace pch = is_kept() ? pch_place() : PchPlace();
  const auto are_repaired = [this] { return have_repaired_headers(request_, cache().own_folder()); };
  try {
    MadeCode made = make_code_in_worker(request_, is_kept(), pch);
    if (!made.nvcc_needed || !are_repaired()) return made;
  } catch (const CompileError&) {
    if (!are_repaired()) throw;
  }
  return make_code_in_worker(request_, is_kept(), pch);
}

void SourceCompile::complete(CodeData& code) const {
  code.name = request_.job.name;
  code.recipe = std::make_shared<const Recipe>(Recipe{std::string(input_.source), input_.options});
}

// On disk the content of options' files is in the key, which memory does without.
void SourceCompile::add_memory_dependencies(Dependencies& dependencies) const {
  dependencies.files.insert(dependencies.files.end(), request_.option_files.begin(), request_.option_files.end());
}

}  // namespace kiln
