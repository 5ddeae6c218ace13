#include "worker/nvrtc/host_likeness.hpp"

#include "base/files.hpp"
#include "base/log.hpp"
#include "base/text_parts.hpp"
#include "base/word_list.hpp"
#include "compile/compiler/compile_message.hpp"
#include "compile/compiler/inform.hpp"
#include "compile/headers/source_scan.hpp"
#include "compile/options/known_options.hpp"
#include "compile/stand_ins/stand_in_headers.hpp"
#include "worker/nvrtc/give_stand_in.hpp"
#include "worker/nvrtc/gnu_extension.hpp"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

namespace kiln {

namespace {

constexpr std::string_view int128_option = "--device-int128";
constexpr const char* int128_size = "__SIZEOF_INT128__";

/// Headers that include libcu++'s <cuda/std/cstdint>, or may do so in some release.
constexpr std::string_view readers_of_libcuxx = "cub/ thrust/ cuda/ cooperative_groups curand pycuda-complex cupy/";

std::string long_long_option() { return std::string("-D") + long_long_int64; }

bool has_argument(const Request& request, std::string_view argument) {
  const std::vector<std::string>& all = request.job.arguments;
  return std::find(all.begin(), all.end(), argument) != all.end();
}

bool has_int128(const Request& request) {
  return has_argument(request, int128_option) || has_argument(request, "-device-int128");
}

/// The macros that options define or undefine.
std::set<std::string> macros_of_options(const Request& request) {
  std::set<std::string> names;
  const std::vector<std::string>& arguments = request.job.arguments;
  for (std::size_t at = 0; at < arguments.size();) {
    const ReadOption option = read_option(arguments, at);
    for (std::string& name : macros_of_option(option)) names.insert(std::move(name));
    at += option.words;
  }
  return names;
}

/// The source, what options define, and the user's in-memory headers, each with its name for messages.
template <class Read>
void for_each_own_text(const Request& request, Read read) {
  read(request.job.name, request.job.source);
  for (const std::string& argument : request.job.arguments)
    if (argument.starts_with("-D")) read("the options", argument.substr(2));
  for (const auto& [name, text] : request.job.headers)
    if (request.search.stand_ins.count(name) == 0) read(name, text);
}

bool includes_libcuxx(const Request& request) {
  bool found = false;
  for_each_own_text(request, [&](std::string_view, std::string_view text) {
    if (!may_include(text)) return;
    for (const HeaderName& header : scan_source(text).includes)
      found |= begins_with_any(header.name, readers_of_libcuxx);
  });
  return found;
}

bool names_long(const CompileError& refusal) {
  return contains(refusal.log(), "long") || contains(refusal.log(), "int64_t");
}

}  // namespace

void HostLikeness::give() {
  if (request_.job.preprocess_only) return;
  for_each_own_text(request_, [&](std::string_view name, std::string_view text) { uses_.add(host_uses(text), name); });
  give_macros();
  if (uses_.uses_int128) give_int128();
  if (includes_libcuxx(request_)) {
    request_.job.arguments.push_back(long_long_option());
    give_stand_in(request_, "features.h");
  }
  give_names();
}

void HostLikeness::give_macros() {
  if (request_.job.headers.count(host_macros_header) != 0) return;
  const std::string text = host_macros(macros_of_options(request_));
  request_.job.headers[host_macros_header] = text;
  request_.search.memory[host_macros_header] = text;
  request_.search.stand_ins.insert(host_macros_header);
  // Before headers that options name.
  request_.job.arguments.insert(request_.job.arguments.begin(), std::string("--pre-include=") + host_macros_header);
}

void HostLikeness::give_int128() {
  std::vector<std::string>& arguments = request_.job.arguments;
  if (!has_int128(request_)) arguments.emplace_back(int128_option);
  if (macros_of_options(request_).count(int128_size) == 0) arguments.push_back(std::string("-D") + int128_size + "=16");
}

void HostLikeness::give_names() {
  const auto is_asked_for = [](const std::string& name) { return is_legacy_macro(name); };
  if (!std::any_of(uses_.tested.begin(), uses_.tested.end(), is_asked_for)) return;
  if (!give_stand_in(request_, legacy_header)) return;
  gave_names_ = true;
  request_.job.arguments.push_back(std::string("--pre-include=") + legacy_header);
}

std::string HostLikeness::difference() const { return uses_.difference(given_to_nvrtc(request_)); }

bool HostLikeness::give_long_long(const CompileError& refusal) {
  if (has_argument(request_, long_long_option()) || request_.search.stand_ins.count("stdint.h") == 0) return false;
  if (!names_long(refusal)) return false;
  refused_ = refusal;
  inform(request_.job.name, "compiled again with int64_t as long long, as libcu++ has it in NVRTC");
  request_.job.arguments.push_back(long_long_option());
  return true;
}

std::string HostLikeness::extension(const CompileError& refusal) const {
  std::string found, macro = uses_.macro;
  const auto read = [&](std::string_view, std::string_view text) {
    if (found.empty()) found = gnu_extension(text);
  };
  for_each_own_text(request_, read);
  // Not the source itself: a file that is read while a compile is recorded counts as one of its headers.
  const auto error = first_error(refusal.log());
  std::string header;
  if (error && error->file != request_.job.name && read_file(FileSystem::real(), error->file, header) == 0) {
    read(error->file, header);
    if (macro.empty()) macro = host_uses(header).macro;
  }
  return found.empty() && !macro.empty() ? "the host compiler's macro " + macro : found;
}

bool HostLikeness::take_back_names() {
  if (!std::exchange(gave_names_, false)) return false;
  std::erase(request_.job.arguments, std::string("--pre-include=") + legacy_header);
  return true;
}

GivenToNvrtc given_to_nvrtc(const Request& request) {
  return {!has_argument(request, long_long_option()), has_int128(request)};
}

void warn_of_difference(const std::string& name, const std::string& difference, std::string& code_log) {
  const std::string warning =
      name + ": compiled by NVRTC, but nvcc may make another program of it, as it asks for " + difference +
      ". Have nvcc compile it (Backend::nvcc, KILN_BACKEND=nvcc), or put what is meant for NVRTC in an #if that tests "
      "__CUDACC_RTC__ " +
      page_on_differences;
  log_message(LogLevel::warn, warning);
  code_log += (code_log.empty() || code_log.back() == '\n' ? "" : "\n") + warning + "\n";
}

std::string difference_reason(const std::string& difference) {
  return "it asks for " + difference + ", which NVRTC answers differently";
}

}  // namespace kiln
