#include "worker/nvcc_compile.hpp"

#include "base/escaped_text.hpp"
#include "base/files.hpp"
#include "base/path_text.hpp"
#include "compile/header_list.hpp"
#include "compile/nvcc_environment.hpp"
#include "compile/shell_text.hpp"
#include "compile/work_folder.hpp"
#include "toolkit/nvcc.hpp"
#include "worker/code_check.hpp"
#include "worker/name_marker.hpp"
#include "worker/nvcc_command.hpp"
#include "worker/nvcc_failure.hpp"
#include "worker/nvcc_version.hpp"

#include <kiln/error.hpp>

#include <algorithm>

namespace kiln {

namespace {

constexpr std::size_t longest_log = std::size_t{1} << 20;
constexpr int oldest_nvcc = 12;

class NvccCompile {
 public:
  NvccCompile(const std::string& nvcc, const CompilerJob& job, ProcessRunner& runner)
      : nvcc_(nvcc),
        job_(job),
        runner_(runner),
        command_(nvcc_command(nvcc, job, working_folder())),
        folder_("nvcc", job.keep) {}

  CompilerOutput run() {
    write_files();
    const ProcessResult result = run_nvcc();
    if (job_.keep) folder_.write("log", result.errors + result.output);
    CompilerOutput output;
    output.log = nvcc_log(job_, result);
    if (result.exit.signal == 0 && result.exit.code == 0) output.code = folder_.read(command_.output);
    if (output.code.empty()) fail(result, output.log);
    output.options = command_.words;
    if (job_.keep) output.kept_folder = folder_.path();
    if (job_.target == Target::ptx) name_files_here(output.code);
    read_names(output);
    const std::string fault = job_.preprocess_only ? std::string() : fault_of_code(output.code, job_.target);
    if (!fault.empty()) fail(result, output.log, fault);
    if (command_.keeps_intermediate && (job_.target == Target::cubin || job_.target == Target::fatbin))
      read_kinds(output);
    if (job_.trace_headers) output.headers = headers();
    return output;
  }

 private:
  void write_files() const {
    for (const auto& file : command_.files) folder_.write(file.first, file.second);
    if (command_.keeps_intermediate) folder_.make_folder(intermediate_folder);
    if (job_.keep)
      folder_.write("command", "cd " + shell_text({folder_.path()}) + " && " + shell_text(command_.words) + "\n");
  }

  ProcessResult run_nvcc() const {
    ProcessRequest request;
    request.arguments = command_.words;
    request.environment = nvcc_environment(job_.trace_headers);
    request.working_folder = folder_.path();
    request.max_output = longest_log;
    try {
      return runner_.run(request);
    } catch (const Error& error) {
      throw ToolkitError("nvcc could not be started: " + std::string(error.what()) +
                             ". Name another by CompileOptions::nvcc, or compile with NVRTC",
                         {nvcc_});
    }
  }

  [[noreturn]] void fail(const ProcessResult& result, const std::string& log, const std::string& fault = {}) const {
    if (result.exit.signal == 0 && result.exit.code != 0) require_not_too_old();
    throw_nvcc_failure({job_, command_, result, folder_.path(), log, fault});
  }

  /// Asked only where a compile failed, as it takes a process.
  void require_not_too_old() const {
    NvccVersion version;
    try {
      version = version_of_nvcc(nvcc_, runner_);
    } catch (const Error&) {
      return;  // it has failed already, and that is what the user is to know
    }
    if (version.major >= oldest_nvcc) return;
    throw ToolkitError("nvcc " + std::to_string(version.major) + "." + std::to_string(version.minor) + " (" + nvcc_ +
                           ") is too old: Kiln needs CUDA " + std::to_string(oldest_nvcc) +
                           ".0 or newer. Name another nvcc by CompileOptions::nvcc, or compile with NVRTC",
                       {nvcc_});
  }

  /// In line information, relative names count from the caller's folder, as NVRTC has it, and not from nvcc's, which is
  /// gone afterwards.
  void name_files_here(std::string& ptx) const {
    const std::string there = " \"" + ptx_escaped(folder_.path()) + "/";
    const std::string here = " \"" + ptx_escaped(joined(working_folder(), ""));
    for (std::size_t at = 0; (at = ptx.find("\n\t.file", at)) != std::string::npos; ++at) {
      const std::size_t name = ptx.find(there, at);
      if (name < ptx.find('\n', at + 1)) ptx.replace(name, there.size(), here);
    }
  }

  void read_names(CompilerOutput& output) const {
    if (job_.name_expressions.empty()) return;
    std::string ptx = job_.target == Target::ptx ? output.code : intermediate(".ptx");
    output.lowered_names = read_name_markers(job_.name_expressions, ptx);
    if (job_.target == Target::ptx) output.code = without_name_markers(output.code);
    if (job_.target == Target::ltoir) output.code = intermediate(".ltoir");
  }
  /// Of one text an architecture.
  void read_kinds(CompilerOutput& output) const {
    for (const std::string& name : folder_.names(intermediate_folder, ".ptx"))
      merge_kinds(output.parameter_kinds,
                  parameter_kinds_of_ptx(folder_.read(std::string(intermediate_folder) + "/" + name)));
  }
  std::string intermediate(const char* ending) const {
    const auto names = folder_.names(intermediate_folder, ending);
    return names.empty() ? std::string() : folder_.read(std::string(intermediate_folder) + "/" + names.front());
  }

  /// Nothing where the host compiler does not tell.
  std::optional<std::vector<std::string>> headers() const {
    std::vector<std::string> names = read_prerequisites(folder_.read(gcc_header_list));
    if (names.empty()) names = read_header_lines(folder_.read(clang_header_list));
    if (names.empty()) return std::nullopt;
    std::vector<std::string> found;
    for (const std::string& name : names)
      if (auto header = header_named(name)) found.push_back(*std::move(header));
    return found;
  }
  /// In-memory headers by their own names, all others by absolute paths; nothing for what Kiln wrote.
  std::optional<std::string> header_named(std::string name) const {
    if (name.starts_with("./")) name.erase(0, 2);
    if (name == nvcc_source || name == "first_includes.h" || name.starts_with("tmpxft_")) return std::nullopt;
    if (name.starts_with(std::string(memory_folder) + "/")) return name.substr(std::string(memory_folder).size() + 1);
    if (name.front() != '/') return folder_.path() + "/" + name;
    // How nvcc.profile spells its own folders: NVIDIA's wheels have two slashes behind the dots.
    const std::string spelled = nvcc_.substr(0, nvcc_.rfind('/')) + "/../";
    if (!name.starts_with(spelled)) return name;
    const std::size_t below = std::min(name.find_first_not_of('/', spelled.size()), name.size());
    return nvcc_root(nvcc_) + "/" + name.substr(below);
  }

  const std::string& nvcc_;
  const CompilerJob& job_;
  ProcessRunner& runner_;
  const NvccCommand command_;
  const WorkFolder folder_;
};

}  // namespace

CompilerOutput compile_with_nvcc(const std::string& nvcc, const CompilerJob& job, ProcessRunner& runner) {
  return NvccCompile(nvcc, job, runner).run();
}

}  // namespace kiln
