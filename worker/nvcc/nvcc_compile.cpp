#include "worker/nvcc/nvcc_compile.hpp"

#include "base/escaped_text.hpp"
#include "base/files.hpp"
#include "base/path_text.hpp"
#include "compile/compiler/compiler_log.hpp"
#include "compile/identity/nvcc_environment.hpp"
#include "compile/options/target_name.hpp"
#include "toolkit/locate/nvcc.hpp"
#include "worker/folders/work_folder.hpp"
#include "worker/nvcc/name_marker.hpp"
#include "worker/nvcc/nvcc_command.hpp"
#include "worker/nvcc/nvcc_failure.hpp"
#include "worker/nvcc/nvcc_recording.hpp"
#include "worker/nvcc/nvcc_times.hpp"
#include "worker/nvcc/nvcc_version.hpp"
#include "worker/nvrtc/shell_text.hpp"

#include <kiln/error.hpp>

#include <iterator>
#include <optional>
#include <utility>

namespace kiln {

namespace {

constexpr std::size_t longest_log = std::size_t{1} << 20;
constexpr int oldest_nvcc = 12;

class NvccCompile {
 public:
  NvccCompile(const std::string& nvcc, const CompilerJob& job, ProcessRunner& runner, FileRecord* record)
      : nvcc_(nvcc),
        job_(job),
        runner_(runner),
        record_(record),
        command_(nvcc_command(nvcc, job, working_folder())),
        folder_("nvcc", job.keep) {}

  CompilerOutput run() {
    write_files();
    const ProcessResult result = run_nvcc();
    if (job_.keep) folder_.write("log", result.errors + result.output);
    CompilerOutput output;
    output.log = nvcc_log(job_, result);
    if (has_ended_well(result)) output.code = folder_.read(command_.output);
    if (output.code.empty()) fail(result, output.log);
    output.options = command_.words;
    if (job_.keep) output.kept_folder = folder_.path();
    if (job_.target == Target::ptx) name_files_here(output.code);
    read_names(output);
    const std::string fault = job_.preprocess_only ? std::string() : fault_of_code(output.code, job_.target);
    if (!fault.empty()) fail(result, output.log, fault);
    if (command_.keeps_intermediate && facts_of(job_.target).is_machine_code) read_kinds(output);
    if (job_.keep_ptx && job_.target == Target::cubin) output.ptx = ptx_of_cubin();
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
    request.environment = nvcc_environment();
    request.working_folder = folder_.path();
    request.max_output = longest_log;
    return record_ != nullptr ? run_recorded(request) : start(request);
  }

  ProcessResult run_recorded(const ProcessRequest& plain) const {
    const NvccRecording recording(folder_.path());
    ProcessRequest request = plain;
    request.environment = recording.environment(plain.environment);
    ProcessResult result = start(request);
    if (!has_ended_well(result) && recording.kept_program_from_running(result.errors)) {
      record_->gap = "one of nvcc's programs does not run with the library that records";
      return start(plain);
    }
    result.errors = recording.without_loader_messages(result.errors);
    FileRecord record = recording.take(folder_.path() + "/" + nvcc_source);
    record_->questions.insert(record_->questions.end(), std::make_move_iterator(record.questions.begin()),
                              std::make_move_iterator(record.questions.end()));
    record_->asked_time |= record.asked_time;
    if (record_->gap.empty()) record_->gap = std::move(record.gap);
    return result;
  }

  static bool has_ended_well(const ProcessResult& result) { return result.exit.signal == 0 && result.exit.code == 0; }

  ProcessResult start(const ProcessRequest& request) const {
    try {
      return runner_.run(request);
    } catch (const Error& error) {
      throw ToolkitError("nvcc could not be started: " + std::string(error.what()) +
                             ". Name another by CompileOptions::nvcc.path, or compile with NVRTC",
                         {nvcc_});
    }
  }

  [[noreturn]] void fail(const ProcessResult& result, const std::string& log, const std::string& fault = {}) const {
    if (result.exit.signal == 0 && result.exit.code != 0) require_not_too_old();
    const auto error = main_error(errors_of(log), job_.name);
    throw_nvcc_failure({job_, command_, result, folder_.path(), log, fault,
                        nvcc_advice(error, command_.words, folder_.path(), runner_), ptx_place(error)});
  }

  /// By another run, with line information.
  std::optional<PtxPlace> ptx_place(const std::optional<Diagnostic>& error) const try {
    if (!error || error->ptx_line == 0 || !command_.keeps_intermediate) return std::nullopt;
    CompilerJob job = job_;
    job.keep = false;
    job.arguments.emplace_back("-lineinfo");
    const NvccCompile again(nvcc_, job, runner_, nullptr);
    again.write_files();
    const auto found = main_error(errors_of(nvcc_log(job, again.run_nvcc())), job.name);
    if (!found || again.folder_.names(intermediate_folder, ".ptx").size() != 1) return std::nullopt;
    auto place = place_of_ptx_line(again.intermediate(".ptx"), found->ptx_line);
    if (place) place->file = requested_name(place->file, job_.name, again.folder_.path());
    return place;
  } catch (const Error&) {
    return std::nullopt;
  }

  /// Asked only where a compile failed, as it takes a process.
  void require_not_too_old() const {
    NvccVersion version;
    try {
      version = version_of_nvcc(nvcc_, runner_);
    } catch (const NotNvccError&) {
      throw;
    } catch (const Error&) {
      return;  // it has failed already, and that is what the user is to know
    }
    if (version.major >= oldest_nvcc) return;
    throw ToolkitError("nvcc " + std::to_string(version.major) + "." + std::to_string(version.minor) + " (" + nvcc_ +
                           ") is too old: Kiln needs CUDA " + std::to_string(oldest_nvcc) +
                           ".0 or newer. Name another nvcc by CompileOptions::nvcc.path, or compile with NVRTC",
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
  std::string ptx_of_cubin() const {
    std::string ptx = without_name_markers(intermediate(".ptx"));
    name_files_here(ptx);
    return ptx;
  }
  std::string intermediate(const char* ending) const {
    const auto names = folder_.names(intermediate_folder, ending);
    return names.empty() ? std::string() : folder_.read(std::string(intermediate_folder) + "/" + names.front());
  }

  const std::string& nvcc_;
  const CompilerJob& job_;
  ProcessRunner& runner_;
  FileRecord* const record_;  // null: nothing is recorded
  const NvccCommand command_;
  const WorkFolder folder_;
};

}  // namespace

CompilerOutput compile_with_nvcc(const std::string& nvcc, const CompilerJob& job, ProcessRunner& runner,
                                 FileRecord* record) {
  CompilerOutput output = NvccCompile(nvcc, job, runner, record).run();
  if (job.timing) output.times = nvcc_times(nvcc, job, runner);
  return output;
}

}  // namespace kiln
