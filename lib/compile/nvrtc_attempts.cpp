#include "compile/nvrtc_attempts.hpp"

#include "compile/make_code.hpp"
#include "compile/nvcc_wanted.hpp"
#include "compile/nvrtc_compile.hpp"
#include "compile/path_text.hpp"
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
      for (const HeaderName& header : scan_source(job_.source).includes) give_stand_in(header.name);
    for (;;) {
      try {
        const bool in_worker = (request_.wish.in_worker || job_.stop.deadline) && has_workers();
        return in_worker ? compile_in_worker(job_) : compile_with_nvrtc(NvrtcLibrary::get(), job_);
      } catch (const CompileStopped&) {
        throw;
      } catch (const CompileError& error) {
        mend(error);
      }
    }
  }

 private:
  /// Changes the job so that another attempt may succeed; throws where nothing helps.
  void mend(const CompileError& error) {
    const Remedy remedy = read_remedy(error.log());
    if (remedy.missing_header) {
      if (give_stand_in(*remedy.missing_header)) return;
      if (is_standard_header(*remedy.missing_header))
        give_up(error, "NVRTC has no header <" + *remedy.missing_header + ">");
    } else if (remedy.legacy_names && give_legacy_names()) {
      return;
    } else if (remedy.default_device && give_default_device(error)) {
      return;
    }
    if (unannotated_) give_up(*unannotated_, "the source has functions or variables for the host");
    throw error;
  }

  [[noreturn]] void give_up(const CompileError& error, const std::string& reason) const {
    if (request_.may_need_nvcc) throw NvccWanted(error, reason);
    throw error;
  }

  bool give_stand_in(const std::string& name) {
    const auto stand_in = stand_in_headers().find(name);
    if (stand_in == stand_in_headers().end() || job_.headers.count(name) != 0 || is_in_folder(name)) return false;
    give_header(name, stand_in->second);
    for (const HeaderName& header : scan_source(stand_in->second).includes) give_stand_in(header.name);
    return true;
  }
  bool is_in_folder(const std::string& name) const {
    const std::vector<std::string>& dirs = request_.search.dirs;
    return std::any_of(dirs.begin(), dirs.end(), [&name](const std::string& dir) {
      FileStatus status;
      return FileSystem::real().status(joined(dir, name), status) == 0 && status.is_regular();
    });
  }
  void give_header(const std::string& name, const std::string& text) {
    job_.headers[name] = text;
    request_.search.memory[name] = text;
    request_.search.stand_ins.insert(name);
  }

  bool give_legacy_names() {
    if (!give_stand_in(legacy_header)) return false;
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
