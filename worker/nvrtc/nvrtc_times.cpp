#include "worker/nvrtc/nvrtc_times.hpp"

#include "base/word_list.hpp"
#include "toolkit/libraries/nvrtc_program.hpp"
#include "toolkit/libraries/nvrtc_trace_file.hpp"
#include "worker/nvrtc/time_table.hpp"
#include "worker/nvrtc/time_trace.hpp"

#include <kiln/error.hpp>

#include <algorithm>
#include <chrono>
#include <string_view>
#include <utility>

namespace kiln {

namespace {

constexpr std::string_view time_option = "--time=";
constexpr nvrtcResult time_file_failed = static_cast<nvrtcResult>(12);  // which older headers lack
/// From 12.5 on a trace can be had, and from 13.0 on it has headers.
constexpr std::pair<int, int> first_to_trace_headers{13, 0};

/// The user's own, which NVRTC would not follow where Kiln's stands behind it.
bool is_time(const std::string& option) { return has_word("-time --time", option.substr(0, option.find('='))); }

/// What would make another trace, or read, or write, a precompiled header.
bool disturbs_trace(std::string_view option) {
  option.remove_prefix(std::min(option.find_first_not_of('-'), option.size()));
  return begins_with_any(option, "time fdevice-time-trace pch create-pch use-pch instantiate-templates-in-pch");
}

/// A file of the request's in-memory headers by the header's name.
std::string without_folder(std::string name, const std::string& folder) {
  return !folder.empty() && name.starts_with(folder + "/") ? name.substr(folder.size() + 1) : std::move(name);
}

}  // namespace

NvrtcTimes::NvrtcTimes(const CompilerJob& job) : job_(job) {
  if (!job.timing) return;
  try {
    folder_.emplace("nvrtc-times");
    asks_ = std::none_of(job.arguments.begin(), job.arguments.end(), is_time);
  } catch (const Error&) {
    // There are no times without a folder.
  }
}

std::vector<std::string> NvrtcTimes::with_option(std::vector<std::string> options) const {
  if (asks_) options.push_back(std::string(time_option) + folder_->path() + "/phases");
  return options;
}

// NVRTC 12.0 does not know it.
bool NvrtcTimes::is_refused(nvrtcResult result, const std::string& log) {
  if (!asks_) return false;
  const bool is_unknown = result == NVRTC_ERROR_INVALID_OPTION && log.find(time_option) != std::string::npos;
  if (!is_unknown && result != time_file_failed) return false;
  asks_ = false;
  return true;
}

std::optional<CompilerTimes> NvrtcTimes::take(const NvrtcLibrary& nvrtc, const NvrtcText& text,
                                              const std::vector<std::string>& options) const {
  if (!job_.timing) return std::nullopt;
  CompilerTimes times;
  if (!folder_) return times;
  const auto start = std::chrono::steady_clock::now();
  try {
    read_time_table(folder_->read("phases"), times);
    if (nvrtc.version_number() >= first_to_trace_headers && has_room_for_trace(folder_->path()))
      trace_headers(nvrtc, text, options, times);
  } catch (const Error&) {
    // Without what could not be read.
  }
  times.measuring = std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now() - start);
  return times;
}

void NvrtcTimes::trace_headers(const NvrtcLibrary& nvrtc, const NvrtcText& text,
                               const std::vector<std::string>& options, CompilerTimes& times) const {
  std::vector<std::string> own = options;
  std::erase_if(own, [](const std::string& option) { return disturbs_trace(option); });
  own.emplace_back("-fdevice-syntax-only");
  own.push_back("-fdevice-time-trace=" + folder_->path() + "/trace");
  const NvrtcProgram program(nvrtc, text.source, text.name, text.headers);
  program.compile(own);
  CompilerTimes traced = read_time_trace(folder_->read("trace.json"));
  for (HeaderTime& header : traced.slowest_headers)
    header.name = without_folder(std::move(header.name), job_.header_folder);
  times.headers = traced.headers;
  times.slowest_headers = std::move(traced.slowest_headers);
}

}  // namespace kiln
