#include "worker/compile_with_dependencies.hpp"

#include "base/range.hpp"
#include "base/text_parts.hpp"
#include "compile/headers/late_defines.hpp"
#include "compile/options/option_files.hpp"
#include "compile/options/target_name.hpp"
#include "compile/request/ptx_driver_code.hpp"
#include "toolkit/locate/nvcc.hpp"
#include "worker/dependencies/file_recording.hpp"
#include "worker/dependencies/read_dependencies.hpp"
#include "worker/nvcc/run_nvcc.hpp"
#include "worker/nvrtc/host_likeness.hpp"
#include "worker/pch/pch_tier.hpp"

#include <kiln/error.hpp>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kiln {

namespace {

/// The record is of all attempts: what an earlier one did not find is why the last one was made.
CompilerOutput run_recorded(Request& request, const PchPlace& place, FileRecord& record) {
  if (request.compiler.backend == Backend::nvcc) return run_nvcc(request, &record);
  std::optional<PchTier> pch;
  if (!place.folder.empty()) pch.emplace(request, place);
  FileRecording recording;
  try {
    CompilerOutput output = run_nvrtc(request, pch ? &*pch : nullptr);
    record = recording.take();
    if (pch && !output.nvcc_needed) pch->finish(record);
    return output;
  } catch (const CompileError&) {
    record = recording.take();
    if (pch && !request.job.late_defines.empty())
      pch->finish(record);  // adds what the precompiled headers were made of
    throw;
  }
}

/// Files whose content is part of the request's key. A shell reads the compiler if that is a script. For line
/// information ptxas opens the source's copy.
std::set<std::string> files_in_key(const Request& request) {
  std::set<std::string> files;
  for (const FileDependency& file : request.option_files) files.insert(file.path.path);
  if (!request.job.line_file.empty()) files.insert(request.job.line_file);
  if (request.compiler.backend == Backend::nvcc)
    for (std::string& part : nvcc_parts(request.compiler.nvcc, request.job.arguments)) files.insert(std::move(part));
  return files;
}

/// Whether the compiler or the assembler read another file than the one whose content is in the key.
bool met_another_option_file(const Request& request, const FileRecord& record) {
  return std::any_of(record.questions.begin(), record.questions.end(), [&](const FileQuestion& question) {
    const auto is_met = [path = plain_path(question.path)](const FileDependency& file) {
      return file.path.path == path;
    };
    const auto file = std::find_if(request.option_files.begin(), request.option_files.end(), is_met);
    return file != request.option_files.end() &&
           (question.differs || (question.seen && question.seen->state != file->status.state()));
  });
}

std::string any_path(const Dependencies& found, const Roots& roots) {
  if (!found.files.empty()) return found.files[0].path.resolve(roots);
  if (!found.absent.empty()) return found.absent[0].resolve(roots);
  if (!found.obstacles.empty()) return found.obstacles[0].path.resolve(roots);
  return found.folders.empty() ? std::string() : found.folders[0].path.resolve(roots);
}

/// Nothing for nvcc, which needs no such macros.
std::optional<GivenToNvrtc> given_of(const Request& request) {
  if (request.compiler.backend == Backend::nvcc) return std::nullopt;
  return given_to_nvrtc(request);
}

DependencyReport report_of(const Request& request, FileRecord record) {
  const Range range("stage", "dependencies");
  const bool option_file_changed = met_another_option_file(request, record);
  std::erase_if(record.questions, [in_key = files_in_key(request)](const FileQuestion& question) {
    return in_key.count(plain_path(question.path)) != 0;
  });
  const std::string text = own_text(request.job.source + "\n" + late_define_lines(request.job), request.job.arguments);
  DependencyReport report = find_dependencies(FileSystem::real(), request.search, text, record, request.strict_headers,
                                              late_words(request.job), given_of(request));
  if (report.known_word) refuse_late_define(report.known_word->word, report.known_word->text, report.known_word->line);
  if (option_file_changed || have_changed(request.option_files))
    report.refusal.add(Counter::refused_young_header,
                       "a file that an option names changed while it was being compiled");
  // Of a source that names no file none is looked at.
  const std::string path = any_path(report.dependencies, request.search.roots);
  if (!request.may_include && !path.empty())
    report.refusal.add(Counter::refused_unknown_headers,
                       "it asks for files in a way that its text does not show, such as " + plain_path(path));
  return report;
}

/// The text as PTX spells it: "47, 116, 109".
std::string decimal(std::string_view text) {
  std::string list;
  for (const char c : text) {
    if (!list.empty()) list += ", ";
    list += std::to_string(static_cast<unsigned char>(c));
  }
  return list;
}

bool holds(std::string_view code, const std::string& text, Target target) {
  if (code.find(text) != std::string_view::npos) return true;
  return target == Target::ptx && code.find(decimal(text)) != std::string_view::npos;
}

/// Code that holds the absolute path of its source tree is right in that place only. Adds to the report's dependencies
/// the own roots whose path the code holds, or may hold: where a text mentions __FILE__, as what is computed from it
/// does not show in the code; and where the code is of a form that cannot be searched.
void note_absolute_paths(DependencyReport& report, const HeaderSearchPaths& search, Target target,
                         std::string_view code) {
  std::vector<AbsolutePathDependency>& known = report.dependencies.absolute_paths;
  const bool searchable = facts_of(target).is_plain;
  for (std::size_t i = 0; i < search.own_roots; ++i) {
    const int root = static_cast<int>(i);
    const std::string& path = search.roots.paths[i];
    const std::string folder = search.is_working_folder_root(i) ? plain_path(path) : path;
    const bool spelled = root == search.source_root || report.spelled_roots.count(root) != 0;
    if (!(spelled && (report.uses_own_path || !searchable)) && !(searchable && holds(code, folder + "/", target)))
      continue;
    const AbsolutePathDependency dependency{root, path};
    if (std::find(known.begin(), known.end(), dependency) == known.end()) known.push_back(dependency);
  }
}

/// A header that knows a name of late_defines may be why the source does not compile.
MadeCode make_refusing(Request& request, const PchPlace& pch, FileRecord& record) {
  try {
    return make_code(request, [&](Request& resolved) { return run_recorded(resolved, pch, record); });
  } catch (const CompileError&) {
    if (!request.job.late_defines.empty()) report_of(request, std::move(record));
    throw;
  }
}

}  // namespace

MadeCode compile_with_dependencies(Request& request, const PchPlace& pch) {
  FileRecord record;
  MadeCode made = make_refusing(request, pch, record);
  if (made.nvcc_needed) return made;
  DependencyReport report = report_of(request, std::move(record));
  // Differences in the source itself were found before the compile.
  if (!report.difference.empty() && request.may_need_nvcc)
    return {nullptr, {}, NvccNeeded{difference_reason(report.difference), {}, true}};
  if (!report.difference.empty() && !contains(made.code->log, report.difference))
    warn_of_difference(request.job.name, report.difference, made.code->log);
  if (request.may_include) {
    const std::string path_independent =
        request.relocates_paths ? without_absolute_paths(made.code->bytes, request.search) : "";
    note_absolute_paths(report, request.search, request.job.target,
                        request.relocates_paths ? std::string_view(path_independent) : made.code->bytes);
  }
  made.headers = {std::move(report.dependencies), std::move(report.refusal)};
  return made;
}

}  // namespace kiln
