#include "tune/tune_log.hpp"

#include "base/files.hpp"
#include "base/json_object.hpp"
#include "base/json_value.hpp"
#include "base/log.hpp"
#include "base/printable_text.hpp"
#include "base/text_parts.hpp"

#include <kiln/error.hpp>

#include <array>
#include <cerrno>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

#include <fcntl.h>

namespace kiln {

namespace {

constexpr std::array all_statuses = {
    TuneStatus::ok,           TuneStatus::not_compiled, TuneStatus::over_limits, TuneStatus::launch_refused,
    TuneStatus::wrong_result, TuneStatus::timed_out,    TuneStatus::crashed};

TuneStatus status_of(const std::string& text) {
  for (const TuneStatus status : all_statuses)
    if (text == to_string(status)) return status;
  throw Error("there is no status " + printable_word(text));
}

std::string number_json(double value) { return TuneValue(value).json(); }

std::string configuration_json(const TuneConfiguration& configuration) {
  JsonObject object;
  for (const auto& [name, value] : configuration) object.add_json(name, value.json());
  return object.text();
}

/// The parameters, as their values' places are what the lines are read by.
std::string head_line(std::string_view identity, const SearchSpace& space) {
  JsonObject parameters;
  for (const TuneParameter& parameter : space.parameters()) {
    std::vector<std::string> values;
    for (const TuneValue& value : parameter.values) values.push_back(value.json());
    parameters.add_json(parameter.name, json_array(values));
  }
  return JsonObject().add("version", 1).add_json("tuned", identity).add_json("parameters", parameters.text()).text();
}

std::string candidate_line(std::uint64_t rank, const TuneCandidate& candidate) {
  JsonObject line;
  line.add("number", rank)
      .add_json("configuration", configuration_json(candidate.configuration))
      .add("status", to_string(candidate.status));
  if (!candidate.error.empty()) line.add("error", candidate.error);
  return line.add_json("seconds", number_json(candidate.seconds))
      .add_json("spread", number_json(candidate.spread))
      .add_json("value", number_json(candidate.value))
      .add("repetitions", candidate.repetitions)
      .add("given_up", candidate.given_up)
      .text();
}

TuneCandidate candidate_of(const JsonValue& line, TuneConfiguration configuration) {
  TuneCandidate candidate;
  candidate.configuration = std::move(configuration);
  candidate.status = status_of(json_get<std::string>(line, "status"));
  if (const JsonValue* const error = line.find("error"); error != nullptr && error->is<std::string>())
    candidate.error = json_value<std::string>(*error);
  candidate.seconds = json_get<double>(line, "seconds");
  candidate.spread = json_get<double>(line, "spread");
  candidate.value = json_get<double>(line, "value");
  candidate.repetitions = json_get<std::size_t>(line, "repetitions");
  candidate.given_up = json_get<bool>(line, "given_up");
  return candidate;
}

}  // namespace

TuneLog::TuneLog(FileSystem& files, std::string path, std::string_view identity, const SearchSpace& space)
    : files_(files), path_(std::move(path)), space_(space), lock_(files) {
  open();
  std::string text;
  if (const int code = read_file(files_, path_, text); code != 0) fail("cannot be read", code);
  const std::string head = head_line(identity, space);
  read(text, head);
  is_cut_ = !text.empty() && text.back() != '\n';
  if (!has_head_) write_line(head);
}

void TuneLog::open() {
  if (const int code = lock_.open(path_); code != 0) fail("cannot be opened", code);
  const int code = lock_.try_lock(0);
  if (code == -EAGAIN)
    throw Error("the log file " + path_ + " is in use by another tuning run: give each run a file of its own");
  if (code != 0 && !FileLock::has_no_locks(code)) fail("cannot be locked", code);
  file_ = OwnedDescriptor(files_.open(path_, O_WRONLY | O_APPEND, 0));
  if (file_.get() < 0) fail("cannot be written", file_.get());
}

void TuneLog::read(std::string_view text, const std::string& head) {
  std::size_t skipped = 0;
  while (!text.empty()) {
    const std::string_view line = next_line(text);
    const bool is_read = has_head_ ? read_candidate(line) : read_head(line, head);
    if (!is_read) ++skipped;
  }
  if (skipped != 0)
    log_message(LogLevel::warn,
                "tune: the log file " + path_ + ": lines that are not whole are skipped: " + std::to_string(skipped));
}

bool TuneLog::read_head(std::string_view line, const std::string& head) {
  has_head_ = line == head;
  if (has_head_ || (line.size() < head.size() && head.starts_with(line))) return has_head_;
  throw Error("the log file " + path_ +
              " is not of this tuning: the kernel, its source, the problem, the device, the parameters or the options "
              "were others; give another file, or remove it");
}

bool TuneLog::read_candidate(std::string_view line) try {
  const JsonValue json = parsed_json(line);
  const auto rank = json_get<std::uint64_t>(json, "number");
  if (rank >= space_.combinations()) return false;
  const Configuration configuration = space_.at_rank(rank);
  known_[configuration] = candidate_of(json, space_.values(configuration));
  return true;
} catch (const std::exception&) {  // cut, or what this version did not write
  return false;
}

void TuneLog::append(const Configuration& configuration, const TuneCandidate& candidate) {
  write_line(candidate_line(space_.rank(configuration), candidate));
}

void TuneLog::write_line(const std::string& line) {
  if (!file_.is_own()) fail("cannot be written: the program closed it", -EBADF);
  const int code = write_all(files_, file_.get(), (is_cut_ ? "\n" : "") + line + "\n");
  is_cut_ = code != 0;
  if (code != 0) fail("cannot be written", code);
}

void TuneLog::fail(const char* what, int code) const {
  throw Error("the log file " + path_ + " of a tuning run " + what + ": " + std::generic_category().message(-code));
}

}  // namespace kiln
