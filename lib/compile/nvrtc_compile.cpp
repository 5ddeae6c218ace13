#include "compile/nvrtc_compile.hpp"

#include "compile/compile_message.hpp"
#include "compile/large_stack.hpp"
#include "compile/option_versions.hpp"
#include "compile/stopped.hpp"
#include "toolkit/nvrtc_use.hpp"
#include "toolkit/toolkit.hpp"

#include <kiln/error.hpp>

#include <algorithm>

namespace kiln {

namespace {

constexpr nvrtcResult cancelled = static_cast<nvrtcResult>(16);  // NVRTC_ERROR_CANCELLED, which older headers lack

/// A program handle, destroyed with the object.
class Program {
 public:
  Program(const NvrtcLibrary& nvrtc, const CompilerJob& job) : nvrtc_(nvrtc) {
    std::vector<const char*> texts;
    std::vector<const char*> names;
    texts.reserve(job.headers.size());
    names.reserve(job.headers.size());
    for (const auto& header : job.headers) {
      names.push_back(header.first.c_str());
      texts.push_back(header.second.c_str());
    }
    const std::string text = job.prologue + job.source + job.epilogue;
    check(nvrtc_.create_program(&handle_, text.c_str(), job.name.c_str(), static_cast<int>(names.size()), texts.data(),
                                names.data()),
          "nvrtcCreateProgram");
  }
  ~Program() { nvrtc_.destroy_program(&handle_); }
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  nvrtcResult compile(const std::vector<std::string>& options) const {
    std::vector<const char*> pointers;
    pointers.reserve(options.size());
    for (const std::string& option : options) pointers.push_back(option.c_str());
    return nvrtc_.compile_program(handle_, static_cast<int>(pointers.size()), pointers.data());
  }
  void watch(const Stop& stop) const {
    if (!nvrtc_.set_flow_callback || !stop.is_possible()) return;
    const auto is_due = [](void* payload, void*) { return static_cast<const Stop*>(payload)->is_due() ? 1 : 0; };
    check(nvrtc_.set_flow_callback(handle_, is_due, const_cast<Stop*>(&stop)), "nvrtcSetFlowCallback");
  }
  void add_name(const std::string& expression) const {
    check(nvrtc_.add_name_expression(handle_, expression.c_str()), "nvrtcAddNameExpression");
  }
  std::string lowered_name(const std::string& expression) const {
    const char* symbol = nullptr;
    check(nvrtc_.get_lowered_name(handle_, expression.c_str(), &symbol), "nvrtcGetLoweredName");
    return symbol;
  }
  std::string log() const {
    std::string text = output(nvrtc_.get_program_log_size, nvrtc_.get_program_log, "nvrtcGetProgramLog");
    while (!text.empty() && (text.back() == '\0' || text.back() == '\n')) text.pop_back();
    return text;
  }
  std::string code(Target target) const {
    switch (target) {
      case Target::ptx: {
        std::string text = output(nvrtc_.get_ptx_size, nvrtc_.get_ptx, "nvrtcGetPTX");
        while (!text.empty() && text.back() == '\0') text.pop_back();
        return text;
      }
      case Target::ltoir:
        return output(nvrtc_.get_ltoir_size, nvrtc_.get_ltoir, "nvrtcGetLTOIR");
      case Target::optixir:
        return output(nvrtc_.get_optixir_size, nvrtc_.get_optixir, "nvrtcGetOptiXIR");
      default:
        return output(nvrtc_.get_cubin_size, nvrtc_.get_cubin, "nvrtcGetCUBIN");
    }
  }

 private:
  template <class Size, class Get>
  std::string output(Size size, Get get, const char* call) const {
    std::size_t bytes = 0;
    if (size == nullptr || get == nullptr)
      throw ToolkitError(nvrtc_title(nvrtc_) + " has no " + call + ": use a newer CUDA toolkit", {nvrtc_.path});
    check(size(handle_, &bytes), call);
    std::string text(bytes, '\0');
    if (bytes != 0) check(get(handle_, text.data()), call);
    return text;
  }
  void check(nvrtcResult result, const char* call) const {
    if (result != NVRTC_SUCCESS)
      throw CompileError(std::string(call) + " failed: " + nvrtc_.get_error_string(result), {}, {});
  }

  const NvrtcLibrary& nvrtc_;
  nvrtcProgram handle_ = nullptr;
};

/// NVRTC 12.5 to 12.7 know the option and fail with it; 12.8 and 12.9 list no header in the trace.
bool lists_headers(const NvrtcLibrary& nvrtc) { return nvrtc.version_number().first >= 13; }

std::vector<std::string> options_of(const NvrtcLibrary& nvrtc, const CompilerJob& job, const HeaderTrace* trace) {
  std::vector<std::string> options = job.arguments;
  options.push_back("-arch=" + job.arch);
  if (job.target == Target::ltoir) options.emplace_back("-dlto");
  if (job.target == Target::optixir) options.emplace_back("--optix-ir");
  options.emplace_back("--no-cache");
  options.emplace_back("--modify-stack-limit=false");
  if (trace != nullptr && lists_headers(nvrtc)) options.push_back(trace->option());
  return options;
}

/// Leaves out the option of Kiln's own that an older NVRTC refused; false where it refused something else.
bool drop_refused(std::vector<std::string>& options, const std::string& log) {
  for (const std::string_view own : {"--no-cache", "--modify-stack-limit", "-fdevice-time-trace"}) {
    if (log.find(own) == std::string::npos) continue;
    const auto is_own = [own](const std::string& option) { return option.compare(0, own.size(), own) == 0; };
    const auto found = std::find_if(options.rbegin(), options.rend(), is_own);
    if (found == options.rend()) continue;
    options.erase(std::next(found).base());
    return true;
  }
  return false;
}

[[noreturn]] void throw_failure(const NvrtcLibrary& nvrtc, const CompilerJob& job, nvrtcResult result,
                                const std::string& log, const std::vector<std::string>& options) {
  const std::string title = nvrtc_title(nvrtc);
  if (result == NVRTC_ERROR_BUILTIN_OPERATION_FAILURE)
    throw ToolkitError(title + " could not load its builtins library, which belongs beside " + nvrtc.path + ": " + log +
                           ". " + installation_advice(),
                       {nvrtc.path});
  FailedCompile failed{title, job.name, job.source, &job.headers, log, options};
  if (result != NVRTC_ERROR_COMPILATION) {
    const std::string reason = nvrtc.get_error_string(result);
    failed.log = log.empty() ? reason : reason + ": " + log;
    const std::string newer = options_of_newer_nvrtc(options, nvrtc.version_number());
    if (!newer.empty()) failed.log += '\n' + newer;
  }
  throw CompileError(compile_message(failed), log, options);
}

CompilerOutput compile_here(const NvrtcLibrary& nvrtc, const CompilerJob& job, const HeaderTrace* given) {
  const auto start = Stop::Clock::now();
  std::optional<HeaderTrace> own;
  if (job.trace_headers && given == nullptr) own.emplace();
  const HeaderTrace* trace = own ? &*own : given;
  if (trace != nullptr && !trace->usable()) trace = nullptr;
  CompilerOutput output;
  output.options = options_of(nvrtc, job, trace);
  for (;;) {
    if (job.stop.is_due()) throw_stopped(job.name, job.stop, Stop::Clock::now() - start);
    const Program program(nvrtc, job);
    program.watch(job.stop);
    for (const std::string& expression : job.name_expressions) program.add_name(expression);
    const nvrtcResult result = program.compile(output.options);
    if (result == cancelled) throw_stopped(job.name, job.stop, Stop::Clock::now() - start);
    output.log = program.log();
    if (result == NVRTC_ERROR_INVALID_OPTION && drop_refused(output.options, output.log)) continue;
    if (result != NVRTC_SUCCESS) throw_failure(nvrtc, job, result, output.log, output.options);
    output.code = program.code(job.target);
    for (const std::string& expression : job.name_expressions)
      output.lowered_names.emplace_back(expression, program.lowered_name(expression));
    break;
  }
  if (trace != nullptr) output.headers = trace->headers();
  if (output.code.empty())
    throw CompileError(nvrtc_title(nvrtc) + " made no code of the wanted kind from \"" + job.name +
                           "\": an option asks for another kind (use CompileOptions::target instead)",
                       output.log, output.options);
  return output;
}

}  // namespace

CompilerOutput compile_with_nvrtc(const NvrtcLibrary& nvrtc, const CompilerJob& job, const HeaderTrace* trace) {
  const NvrtcUse use;
  CompilerOutput output;
  run_on_large_stack([&] { output = compile_here(nvrtc, job, trace); });
  return output;
}

std::string nvrtc_title(const NvrtcLibrary& nvrtc) {
  const auto [major, minor] = nvrtc.version_number();
  return "NVRTC " + std::to_string(major) + "." + std::to_string(minor);
}

}  // namespace kiln
