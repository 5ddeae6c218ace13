#include "compile/make_code.hpp"

#include "base/log.hpp"
#include "compile/nvrtc_compile.hpp"
#include "compile/places.hpp"
#include "compile/worker_compile.hpp"
#include "toolkit/nvrtc_library.hpp"

#include <utility>

namespace kiln {

void inform(const Request& request, const std::string& what) {
  if (log_enabled(LogLevel::info)) log_message(LogLevel::info, request.job.name + ": " + what);
}

MadeCode make_code(Request& request, bool keep) {
  FileSystem& files = FileSystem::real();
  const std::int64_t start_ns = files.now_ns();
  const NvrtcLibrary& nvrtc = NvrtcLibrary::get();
  const Arch arch = choose_arch(request, nvrtc);
  request.job.arch = arch.text();
  if (request.job.target == Target::cubin && !arch.real) request.job.target = Target::ptx;
  request.job.trace_headers = request.may_include && keep;
  if (!request.explicit_arch && request.device.arch.empty())
    inform(request, "no device and no arch given: compiling for " + arch.text() + ", the lowest that " +
                        nvrtc_title(nvrtc) + " makes");
  // What may be stopped is compiled where it can be ended.
  const bool elsewhere = (request.device.in_worker || request.job.stop.is_possible()) && has_workers();
  CompilerOutput output = elsewhere ? compile_in_worker(request.job) : compile_with_nvrtc(nvrtc, request.job);
  if (log_enabled(LogLevel::debug)) {
    std::string options;
    for (const std::string& option : output.options) options += " " + option;
    log_message(LogLevel::debug, request.job.name + ": compiled by " + nvrtc_title(nvrtc) + " with" + options);
  }
  MadeCode made;
  made.code = std::make_shared<CodeData>();
  made.code->own(std::move(output.code));
  made.code->target = request.job.target;
  made.code->arch = request.job.arch;
  made.code->log = std::move(output.log);
  made.code->lowered_names = std::move(output.lowered_names);
  if (keep && request.may_include) {
    made.headers =
        find_dependencies(files, request.search, request.job.source, output.headers, request.strict_headers, start_ns);
    note_places(made.headers, request.search, request.job.target, made.code->bytes);
  }
  return made;
}

}  // namespace kiln
