#include "compile/nvrtc_attempts.hpp"

#include "compile/give_stand_in.hpp"
#include "compile/make_code.hpp"
#include "compile/nvcc_wanted.hpp"
#include "compile/nvrtc_compile.hpp"
#include "compile/remedy.hpp"
#include "compile/source_scan.hpp"
#include "compile/stand_in_headers.hpp"
#include "compile/worker_compile.hpp"
#include "toolkit/nvrtc_library.hpp"

#include <kiln/error.hpp>

#include <algorithm>
#include <optional>

namespace kiln {

namespace {

constexpr const char* default_device = "-default-device";

class Attempts {
 public:
  explicit Attempts(Request& request) : request_(request), job_(request.job) {}

  CompilerOutput run() {
    if (request_.may_include)
      for (const HeaderName& header : scan_source(job_.source).includes) give_stand_in(request_, header.name);
    for (;;) {
      try {
        return wants_worker() && has_workers() ? compile_in_worker(job_)
                                               : compile_with_nvrtc(NvrtcLibrary::get(), job_);
      } catch (const CompileStopped&) {
        throw;
      } catch (const CompileError& error) {
        mend(error);
      }
    }
  }

 private:
  bool wants_worker() const {
    // -opt-info stays in force for all later compiles of a process.
    const auto is_lasting = [](const std::string& option) {
      return option.find("opt-info") != option.npos || option.find("optimization-info") != option.npos;
    };
    return request_.wish.in_worker || job_.stop.deadline ||
           std::any_of(job_.arguments.begin(), job_.arguments.end(), is_lasting);
  }

  /// Changes the job so that another attempt may succeed; throws where nothing helps.
  void mend(const CompileError& error) {
    const Remedy remedy = read_remedy(error.log());
    if (remedy.missing_header) {
      if (give_stand_in(request_, *remedy.missing_header)) return;
      if (is_standard_header(*remedy.missing_header))
        give_up(error, "NVRTC has no header <" + *remedy.missing_header + ">");
    } else if ((remedy.legacy_names && give_legacy_names()) || (remedy.default_device && give_default_device(error))) {
      return;
    }
    if (unannotated_) give_up(*unannotated_, "the source has functions or variables for the host");
    if (remedy.more_of_std && !request_.search.stand_ins.empty())
      give_up(error, "the stand-ins lack something of the C++ library");
    throw error;
  }

  [[noreturn]] void give_up(const CompileError& error, const std::string& reason) const {
    if (request_.may_need_nvcc) throw NvccWanted(error, reason);
    throw error;
  }

  bool give_legacy_names() {
    if (!give_stand_in(request_, legacy_header)) return false;
    inform(request_, "compiled again with what nvcc's own headers declare, such as uint");
    job_.arguments.push_back(std::string("--pre-include=") + legacy_header);
    return true;
  }

  bool give_default_device(const CompileError& error) {
    if (std::find(job_.arguments.begin(), job_.arguments.end(), default_device) != job_.arguments.end()) return false;
    inform(request_, "compiled again with -default-device, for functions or variables without __device__");
    unannotated_ = error;
    job_.arguments.emplace_back(default_device);
    return true;
  }

  Request& request_;
  CompilerJob& job_;
  std::optional<CompileError> unannotated_;  // NVRTC's refusal before -default-device
};

}  // namespace

CompilerOutput compile_by_attempts(Request& request) { return Attempts(request).run(); }

}  // namespace kiln
