#include "base/range.hpp"
#include "compile/compiler/compile_message.hpp"
#include "compile/compiler/inform.hpp"
#include "compile/headers/memory_headers.hpp"
#include "compile/stand_ins/stand_in_headers.hpp"
#include "toolkit/libraries/nvrtc_library.hpp"
#include "worker/folders/work_folder.hpp"
#include "worker/nvrtc/diagnosis.hpp"
#include "worker/nvrtc/give_stand_in.hpp"
#include "worker/nvrtc/header_advice.hpp"
#include "worker/nvrtc/host_header.hpp"
#include "worker/nvrtc/host_likeness.hpp"
#include "worker/nvrtc/make_code.hpp"
#include "worker/nvrtc/nvrtc_compile.hpp"
#include "worker/nvrtc/nvrtc_text.hpp"
#include "worker/nvrtc/reference_headers.hpp"
#include "worker/nvrtc/tile_kernels.hpp"

#include <kiln/error.hpp>

#include <algorithm>
#include <optional>
#include <set>

namespace kiln {

namespace {

constexpr const char* default_device = "-default-device";

CompileError with_advice(const CompileError& error, const Request& request, const std::string& header) {
  const std::string advice = header_advice(header, request, NvrtcLibrary::get().title());
  return advice.empty() ? error : CompileError(error.what() + advice, error.log(), error.options());
}

class Attempts {
 public:
  Attempts(Request& request, PrecompiledHeaders* pch)
      : request_(request), job_(request.job), pch_(pch), references_(request), host_(request) {}

  CompilerOutput run() {
    give_stand_ins(request_);
    host_.give();
    references_.give_declared();
    lay_out_headers();
    if (const std::string reason = unreadable_text(job_); !reason.empty())
      throw CompileError(reason, {}, job_.users_arguments);
    refuse_tile_attributes(job_);
    const std::string difference = host_.difference();
    if (!difference.empty() && request_.may_need_nvcc && !host_.knows_nvrtc())
      return nvcc_instead({difference_reason(difference), {}, true});
    CompilerOutput output = attempt();
    if (!difference.empty() && !output.nvcc_needed) warn_of_difference(job_.name, difference, output.log);
    return output;
  }

 private:
  static CompilerOutput nvcc_instead(NvccNeeded needed) {
    CompilerOutput none;
    none.nvcc_needed = std::move(needed);
    return none;
  }

  CompilerOutput attempt() {
    for (;;) {
      try {
        const Range range("stage", "NVRTC");
        CompilerOutput output = compile_with_nvrtc(NvrtcLibrary::get(), job_, pch_);
        refuse_tile_kernels(job_, output.log);
        return output;
      } catch (const CompileError& refusal) {
        const auto missing = diagnose(refusal.log()).missing_header;
        const CompileError error = missing ? with_advice(refusal, request_, *missing) : refusal;
        refuse_tile_kernels(job_, refusal.log());
        if (auto needed = prepare_retry(error)) return nvcc_instead(*std::move(needed));
      }
    }
  }

  /// In-memory headers as files, where NVRTC would not take the same ones by their names.
  void lay_out_headers() {
    if (names_suffice(job_) && request_.search.forced.empty()) return;
    for (const auto& [name, text] : job_.headers) {
      if (!is_file_header(name, text)) continue;
      if (!header_folder_) {
        header_folder_.emplace("nvrtc");
        job_.header_folder = header_folder_->path() + "/headers";
      }
      header_folder_->write("headers/" + name, header_file_text(job_, name, request_.search.source_dir));
    }
  }

  /// Changes the job so that another attempt may succeed. Where none can, says that nvcc is needed, or throws.
  std::optional<NvccNeeded> prepare_retry(const CompileError& latest) {
    const Diagnosis of_latest = diagnose(latest.log());
    const CompileError& error = references_.original_error(latest, of_latest);
    const bool is_latest = &error == &latest;
    const Diagnosis diagnosis = is_latest ? of_latest : diagnose(error.log());
    if (diagnosis.missing_header) {
      if (give_stand_in(request_, *diagnosis.missing_header)) return std::nullopt;
      if (is_standard_header(*diagnosis.missing_header) || host_has_header(*diagnosis.missing_header))
        return need_nvcc(error, "NVRTC has no header <" + *diagnosis.missing_header + ">");
    } else if (diagnosis.byte_order_mark) {
      return need_nvcc(error, "NVRTC takes the byte order mark of a header for text");
    } else if ((is_latest && (references_.give_missing(diagnosis) || references_.leave_out_annotation(diagnosis))) ||
               (diagnosis.legacy_names && give_legacy_names(legacy_header, "such as uint")) ||
               (diagnosis.legacy_std_names && give_legacy_names(legacy_std_header, "such as std::is_same")) ||
               (diagnosis.cucomplex_names && give_cucomplex(request_))) {
      return std::nullopt;
    } else if (diagnosis.is_syntax_error && !diagnosis.lacks_std) {
      if (references_.take_back(error)) return std::nullopt;
      if (auto needed = need_nvcc_for_extension(error, diagnosis)) return needed;
      throw CompileError(error);
    } else if (diagnosis.default_device) {
      if (give_default_device(error)) return std::nullopt;
    }
    if (references_.take_back(error) || host_.give_long_long(error) || host_.take_back_names()) return std::nullopt;
    if (unannotated_) return need_nvcc(*unannotated_, "the source has functions or variables for the host");
    if (diagnosis.lacks_std && !request_.search.stand_ins.empty())
      return need_nvcc(error, "the stand-ins lack something of the C++ library");
    const CompileError& original = host_.original_error(error);
    if (auto needed = need_nvcc_for_extension(original, diagnosis)) return needed;
    const bool is_of_front_end = first_error(original.log()).has_value() && !diagnosis.is_meant;
    if (request_.may_need_nvcc && is_of_front_end && gave_stand_ins())
      return need_nvcc(original, "it may need more than the short forms of standard headers that Kiln gives NVRTC",
                       true);
    throw CompileError(original);
  }

  std::optional<NvccNeeded> need_nvcc_for_extension(const CompileError& error, const Diagnosis& diagnosis) const {
    if (diagnosis.is_meant) return std::nullopt;
    std::string extension = diagnosis.extension;
    if (extension.empty()) extension = host_.extension(error);
    if (extension.empty()) return std::nullopt;
    return need_nvcc(error, "NVRTC does not take " + extension, true);
  }

  /// Apart from what every source is given.
  bool gave_stand_ins() const {
    const std::set<std::string>& given = request_.search.stand_ins;
    return given.size() > given.count(host_macros_header);
  }

  NvccNeeded need_nvcc(const CompileError& error, const std::string& reason, bool is_guess = false) const {
    if (!request_.may_need_nvcc)
      throw CompileError(std::string(error.what()) + "\nnvcc may compile this (" + reason +
                             "): it is asked where CompileOptions::backend is automatic, KILN_BACKEND is unset, and "
                             "nvcc is there",
                         error.log(), error.options());
    return {reason, error, false, is_guess};
  }

  bool give_legacy_names(const char* header, const std::string& example) {
    if (!give_stand_in(request_, header)) return false;
    inform(request_.job.name, "compiled again with what nvcc's own headers declare, " + example);
    job_.arguments.push_back(std::string("--pre-include=") + header);
    return true;
  }

  bool give_default_device(const CompileError& error) {
    if (std::find(job_.arguments.begin(), job_.arguments.end(), default_device) != job_.arguments.end()) return false;
    inform(request_.job.name, "compiled again with -default-device, for functions or variables without __device__");
    unannotated_ = error;
    job_.arguments.emplace_back(default_device);
    return true;
  }

  Request& request_;
  CompilerJob& job_;
  PrecompiledHeaders* const pch_;
  ReferenceHeaders references_;
  HostLikeness host_;
  std::optional<WorkFolder> header_folder_;
  std::optional<CompileError> unannotated_;  // NVRTC's refusal before -default-device
};

}  // namespace

CompilerOutput compile_by_attempts(Request& request, PrecompiledHeaders* pch) { return Attempts(request, pch).run(); }

}  // namespace kiln
