#include "worker/nvcc/nvcc_failure.hpp"

#include "base/bounded_text.hpp"
#include "base/environment.hpp"
#include "base/escaped_text.hpp"
#include "base/path_text.hpp"
#include "base/text_parts.hpp"
#include "compile/compiler/compile_message.hpp"
#include "compile/headers/late_defines.hpp"
#include "compile/nvjitlink/link_input.hpp"
#include "compile/options/arch.hpp"
#include "compile/options/misspelt_option.hpp"
#include "compile/options/option_files.hpp"
#include "compile/options/target_name.hpp"
#include "toolkit/image/code_info.hpp"
#include "toolkit/image/elf_view.hpp"
#include "toolkit/image/fatbin_view.hpp"
#include "worker/nvcc/nvcc_version.hpp"
#include "worker/nvrtc/shell_text.hpp"

#include <kiln/error.hpp>

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace kiln {

namespace {

constexpr std::size_t longest_command = std::size_t{16} << 10;

/// What became of nvcc where it says nothing of the source.
std::string end_of(const NvccRun& run) {
  const ExitStatus& exit = run.result.exit;
  if (exit.signal != 0) return "it was ended by " + signal_text(exit.signal);
  if (exit.code != 0)
    return "it ended with status " + std::to_string(exit.code) + (run.log.empty() ? " and said nothing" : "");
  if (!run.fault.empty()) return "it ended with success, but of its output " + run.fault;
  return "it made no output" + std::string(run.log.empty() ? " and said nothing" : "");
}

std::string command_text(const NvccRun& run) {
  std::string text = "command: " + bounded(shell_text(run.command.words), longest_command);
  if (const auto options = run.command.files.find("options"); options != run.command.files.end()) {
    std::string words = options->second;
    std::replace(words.begin(), words.end(), '\n', ' ');
    text += "\nwhere @options has: " + bounded(words, longest_command);
  }
  text += "\nin the working folder " + run.folder +
          (run.job.keep ? ", which was kept" : ", which is kept where CompileOptions::keep is set");
  return text;
}

constexpr std::uint16_t em_cuda = 190;

/// Throws Error where it is damaged.
bool is_code(std::string_view code, Target target) {
  if (target == Target::cubin)
    return code_kind(code) == CodeKind::cubin && ElfView(code).machine() == em_cuda && !read_cubin(code).arch.empty();
  if (target == Target::ptx) return code_kind(code) == CodeKind::ptx;
  if (target == Target::fatbin) return code_kind(code) == CodeKind::fatbin && !fatbin_entries(code).empty();
  if (target == Target::ltoir || target == Target::optixir) return ltoir_header(code).has_value();  // one container
  return false;
}

}  // namespace

std::string fault_of_code(std::string_view code, Target target) try {
  return is_code(code, target) ? std::string() : "it is no " + target_name(target);
} catch (const Error& error) {
  return error.what();
}

std::string nvcc_log(const CompilerJob& job, const ProcessResult& result) {
  std::string log = result.errors;
  if (!log.empty() && log.back() != '\n') log += '\n';
  log += result.output;
  if (result.truncated) log += "\n(more was written, and dropped)\n";
  // Diagnostics have the source's own name; a summary has the file's.
  log = with_name(std::move(log), line_name(nvcc_source), line_name(job.name));
  log = with_name(std::move(log), job.line_file, job.name);
  std::string kept;
  for (std::string_view rest = log; !rest.empty();) {
    const std::string_view row = next_line(rest);
    if (row != "kernel.cu") kept.append(row) += '\n';
  }
  while (!kept.empty() && kept.back() == '\n') kept.pop_back();
  return kept;
}

void throw_nvcc_failure(const NvccRun& run) {
  FailedCompile failed{"nvcc",
                       run.job.name,
                       run.job.source,
                       &run.job.headers,
                       run.log,
                       run.command.words,
                       late_define_text(run.job),
                       &run.job.name_expressions,
                       {},
                       end_of(run),
                       run.ptx_place};
  std::string message = failure_headline(failed) + run.advice;
  if (const std::string misspelt = misspelt_option(run.job.arguments, run.log); !misspelt.empty())
    message += misspelt + "\n";
  message += log_part("log", run.log) + command_text(run) + late_defines_line(failed);
  throw CompileError(message, run.log, run.command.words);
}

namespace {

bool contains_any(std::string_view text, std::initializer_list<std::string_view> parts) {
  return std::any_of(parts.begin(), parts.end(), [&](std::string_view part) { return contains(text, part); });
}

/// nvcc's #error for a host compiler of another version than it supports, in a header of its own.
bool is_other_version(std::string_view text) {
  return contains(text, "#error") && contains_any(text, {"unsupported GNU version", "unsupported clang version",
                                                         "unsupported Intel", "unsupported PGI"});
}

/// Missing, without one of its parts (cc1plus), or none at all; not where it lacks a file of the user's.
bool is_of_host_compiler(std::string_view text) {
  if (contains_any(text, {"host compiler", "Host compiler", "cannot execute", "Unsupported compiler"})) return true;
  const std::string program = file_name_of(std::string(text.substr(0, text.find(':'))));
  return !contains(text, "error") && contains_any(program, {"gcc", "g++", "cc", "clang"}) &&
         !contains_any(program, {"nvcc", "cicc"});  // NVIDIA's own
}

std::string advice_for_host_compiler(std::string_view text) {
  constexpr const char* by_name = "name another by NVCC_CCBIN or the option -ccbin";
  if (is_other_version(text))
    return std::string("nvcc takes host compilers of certain versions: install an older one, such as g++-13, and ") +
           by_name + "; the option -allow-unsupported-compiler makes it try this one.\n";
  if (!is_of_host_compiler(text)) return {};
  return std::string("nvcc needs a whole host compiler: install g++ (apt-get install g++, dnf install gcc-c++), or ") +
         by_name + ".\n";
}

/// The libraries of LD_PRELOAD that check a program's memory or threads.
std::string sanitizers_in_preload() {
  std::string found;
  std::string list = environment("LD_PRELOAD").value_or("");
  std::replace(list.begin(), list.end(), ' ', ':');
  for (const std::string& library : split(list, ':')) {
    const std::string name = file_name_of(library);
    const std::initializer_list<std::string_view> sanitizers = {"libasan",  "liblsan", "libtsan",
                                                                "libubsan", "libmsan", "libclang_rt."};
    if (contains_any(name, sanitizers)) found += (found.empty() ? "" : ", ") + library;
  }
  return found;
}

std::string advice_for_preload() {
  const std::string sanitizers = sanitizers_in_preload();
  if (sanitizers.empty()) return {};
  return "LD_PRELOAD has " + sanitizers +
         ", which nvcc and the compilers that it runs load, too, and which ends them for what it finds in them: link "
         "the sanitizer into the program instead, set ASAN_OPTIONS=detect_leaks=0, or have the code in the cache "
         "before.\n";
}

/// The user's: a worker's own folder, and nvcc's, are below it.
std::string folder_for_temporary_files(std::string folder) {
  while (file_name_of(folder).starts_with("kiln-tmp-")) folder = folder_of(folder);
  return folder;
}

std::string advice_for_arch(const std::string& nvcc, ProcessRunner& runner) {
  const std::vector<int> archs = archs_of_nvcc(nvcc, runner);
  if (archs.empty()) return {};
  return "This nvcc knows " + arch_list(archs) + ": choose one of these, or another CUDA toolkit (CUDA_HOME).\n";
}

}  // namespace

std::string nvcc_advice(const std::optional<Diagnostic>& said, const std::vector<std::string>& command,
                        const std::string& folder, ProcessRunner& runner) {
  const std::string text = said ? said->text : std::string();
  if (contains_any(text, {"No space left on device", "Disk quota exceeded"}))
    return "The folder for temporary files, " + folder_for_temporary_files(folder) +
           ", is full: make room there, or name another by TMPDIR.\n";
  if (contains(text, "Unsupported gpu architecture")) return advice_for_arch(command.front(), runner);
  if (std::string advice = advice_for_host_compiler(text); !advice.empty()) return advice;
  if (!said || !said->file.empty()) return said ? std::string() : advice_for_preload();
  const std::string advice = option_file_advice(text, quoted_words(text), command, folder);
  return advice.empty() ? advice_for_preload() : advice + "\n";
}

}  // namespace kiln
