#include "worker/nvcc/run_nvcc.hpp"

#include "base/range.hpp"
#include "base/text_parts.hpp"
#include "compile/compiler/inform.hpp"
#include "compile/identity/nvcc_environment.hpp"
#include "compile/nvrtc/give_stand_in.hpp"
#include "compile/nvrtc/make_code.hpp"
#include "compile/nvrtc/reference_headers.hpp"
#include "compile/nvrtc/tile_kernels.hpp"
#include "compile/stand_ins/stand_in_headers.hpp"
#include "worker/nvcc/nvcc_compile.hpp"

#include <kiln/error.hpp>

#include <algorithm>
#include <charconv>
#include <map>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace kiln {

namespace {

/// Lines such as "sm_90".
std::vector<int> read_list(std::string_view text) {
  std::vector<int> archs;
  constexpr std::string_view prefix = "sm_";
  while (!text.empty()) {
    const std::string_view line = next_line(text);
    int number = 0;
    if (line.substr(0, prefix.size()) == prefix) {
      const auto [rest, error] = std::from_chars(line.data() + prefix.size(), line.data() + line.size(), number);
      if (error == std::errc() && rest == line.data() + line.size()) archs.push_back(number);
    }
  }
  std::sort(archs.begin(), archs.end());
  return archs;
}

/// Compute capabilities (90, 100), ascending, as that nvcc itself lists them; empty where it does not list them. Asked
/// until it has answered, once a process and nvcc. For one thread.
std::vector<int> nvcc_archs(const std::string& nvcc) {
  static std::map<std::string, std::vector<int>> known;
  if (const auto found = known.find(nvcc); found != known.end()) return found->second;
  const ProcessResult listed = ProcessRunner::real().run({{nvcc, "--list-gpu-code"}, nvcc_environment()});
  std::vector<int> archs = read_list(listed.output);
  if (!archs.empty()) known[nvcc] = archs;
  return archs;
}

/// For functions of the host's library, such as std::get of a tuple; where nvcc's refusal names the option.
bool give_relaxed_constexpr(Request& request, const CompileError& refusal) {
  constexpr const char* option = "--expt-relaxed-constexpr";
  std::vector<std::string>& arguments = request.job.arguments;
  const bool is_given = std::find(arguments.begin(), arguments.end(), option) != arguments.end();
  if (request.context.plain || is_given || refusal.log().find(option) == std::string::npos) return false;
  inform(request.job.name, std::string("compiled again with ") + option + ", for constexpr functions of the host");
  arguments.emplace_back(option);
  return true;
}

/// nvcc, with those of Kiln's own headers that the source or, as the log then says, a header of it includes or needs.
CompilerOutput compile_with_own_headers(Request& request, FileRecord* record) {
  give_stand_ins(request);
  refuse_tile_attributes(request.job);
  ReferenceHeaders references(request);
  references.give_declared();
  for (;;) {
    try {
      const Range range("stage", "nvcc");
      CompilerOutput output = compile_with_nvcc(request.compiler.nvcc, request.job, ProcessRunner::real(), record);
      refuse_tile_kernels(request.job, output.log);
      return output;
    } catch (const CompileError& error) {
      refuse_tile_kernels(request.job, error.log());
      bool given = false;
      for (const auto& header : stand_in_headers())
        if (error.log().find(" " + header.first + ": No such file") != std::string::npos)
          given |= give_stand_in(request, header.first);
      if (given || give_relaxed_constexpr(request, error)) continue;
      const Diagnosis diagnosis = diagnose_nvcc(error.log());
      if (diagnosis.cucomplex_names && give_cucomplex(request)) continue;
      const CompileError& original = references.original_error(error, diagnosis);
      if (&original != &error) throw CompileError(original);
      if (!references.give_missing(diagnosis) && !references.take_back(error)) throw;
    }
  }
}

}  // namespace

CompilerOutput run_nvcc(Request& request, FileRecord* record) {
  const std::string& nvcc = request.compiler.nvcc;
  // Of an architecture that the user names nvcc itself is the judge.
  const bool ask = !request.explicit_arch && !request.context.plain && !request.lists_archs;
  const auto archs = ask ? nvcc_archs(nvcc) : std::vector<int>();
  choose_arch(request, archs, nvcc);
  CompilerOutput output = compile_with_own_headers(request, record);
  log_options(request, nvcc, output);
  return output;
}

}  // namespace kiln
