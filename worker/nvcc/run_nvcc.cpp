#include "worker/nvcc/run_nvcc.hpp"

#include "base/range.hpp"
#include "compile/compiler/inform.hpp"
#include "compile/stand_ins/stand_in_headers.hpp"
#include "worker/nvcc/nvcc_compile.hpp"
#include "worker/nvcc/nvcc_version.hpp"
#include "worker/nvrtc/give_stand_in.hpp"
#include "worker/nvrtc/make_code.hpp"
#include "worker/nvrtc/reference_headers.hpp"
#include "worker/nvrtc/tile_kernels.hpp"

#include <kiln/error.hpp>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

namespace kiln {

namespace {

/// Of archs_of_nvcc, called until it succeeds, then once per process and nvcc. For one thread.
std::vector<int> nvcc_archs(const std::string& nvcc) {
  static std::map<std::string, std::vector<int>> known;
  if (const auto found = known.find(nvcc); found != known.end()) return found->second;
  std::vector<int> archs = archs_of_nvcc(nvcc);
  if (!archs.empty()) known[nvcc] = archs;
  return archs;
}

/// For functions of the host's library, such as std::get of a tuple; where nvcc's error names the option.
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
  const bool ask = !request.explicit_arch && !request.context.plain && request.listed_archs.empty();
  const auto archs = ask ? nvcc_archs(nvcc) : std::vector<int>();
  choose_arch(request, archs, nvcc);
  CompilerOutput output = compile_with_own_headers(request, record);
  log_options(request, nvcc, output);
  return output;
}

}  // namespace kiln
