// The log file of a tuning run, from which another run goes on.
#include "fuzz.hpp"
#include "memory_file.hpp"
#include "tune/tune_log.hpp"

#include <kiln/error.hpp>
#include <kiln/log.hpp>

#include <map>

namespace fuzz_tune_log {

using namespace kiln;
using namespace kiln::fuzz;

namespace {

const SearchSpace& space() {
  static const SearchSpace one(
      {{"A", {1, 2, 4}}, {"TYPE", {"float", "say \"hi\""}}, {"S", {0.5, 1.0}}, {"B", {false, true}}}, {});
  return one;
}

TuneLog open(MemoryFile& file) { return TuneLog(file, "log", "{\"key\":\"matmul\"}", space()); }

/// The line that says what was tuned.
std::string head() {
  MemoryFile file;
  open(file);
  return file.bytes;
}

bool is_same(const TuneCandidate& a, const TuneCandidate& b) {
  return a.configuration == b.configuration && a.status == b.status && a.error == b.error && a.seconds == b.seconds &&
         a.spread == b.spread && a.value == b.value && a.repetitions == b.repetitions && a.given_up == b.given_up;
}

using Known = std::map<Configuration, TuneCandidate>;

void check_known(const std::string& text, const Known& known) {
  MemoryFile file(text);
  const TuneLog log = open(file);
  require(log.known().size() == known.size(), "a run that goes on knows no more and no fewer candidates");
  for (const auto& [configuration, candidate] : known) {
    const auto found = log.known().find(configuration);
    require(found != log.known().end() && is_same(found->second, candidate), "a candidate survives");
  }
}

Known known_and_one(MemoryFile& file) {
  TuneLog log = open(file);
  Known known = log.known();
  const Configuration last = {2, 1, 1, 1};
  TuneCandidate added;
  added.configuration = space().values(last);
  added.status = TuneStatus::over_limits;
  added.error = "too\nmuch";
  added.repetitions = 7;
  log.append(last, added);
  known[last] = added;
  return known;
}

std::string log_of(const Known& known) {
  MemoryFile file;
  TuneLog log = open(file);
  for (const auto& [configuration, candidate] : known) log.append(configuration, candidate);
  return file.bytes;
}

void check_log(const std::string& text) {
  MemoryFile file(text);
  Known known;
  try {
    known = known_and_one(file);
  } catch (const Error& error) {
    check_said(error.what());
    return require(file.bytes == text, "a file of something else stays as it is");
  }
  require(file.bytes.compare(0, text.size(), text) == 0, "what is there stays");
  check_known(file.bytes, known);
  check_known(log_of(known), known);
}

}  // namespace

int run(const std::uint8_t* data, std::size_t size) {
  // Of damaged lines.
  static const bool is_heard = (set_log_handler([](LogLevel, const std::string& said) { check_said(said); }), true);
  static_cast<void>(is_heard);
  static const std::string front = head();
  const std::string text(view_of(data, size));
  check_log(text);
  check_log(front + text);
  return 0;
}

}  // namespace fuzz_tune_log
