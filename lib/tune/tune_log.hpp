// The log file of a tuning run, from which a run that was killed goes on.
#pragma once

#include "base/file_lock.hpp"
#include "base/file_system.hpp"
#include "base/owned_descriptor.hpp"
#include "tune/search_space.hpp"

#include <kiln/tune_result.hpp>

#include <map>
#include <string>
#include <string_view>

namespace kiln {

/// Lines of JSON: what was tuned, then a line a candidate, appended by one write each. What a write did not finish is
/// skipped when it is read. One run has a file at a time. For one thread.
class TuneLog {
 public:
  /// Makes the file where there is none, or reads it. `identity` is what was tuned, one line of JSON. Throws Error with
  /// the path where it cannot be read or written, is of something else, or is another run's at this time.
  TuneLog(FileSystem& files, std::string path, std::string_view identity, const SearchSpace& space);

  /// What the file knew when it was opened.
  const std::map<Configuration, TuneCandidate>& known() const noexcept { return known_; }

  void append(const Configuration& configuration, const TuneCandidate& candidate);

 private:
  void open();
  void read(std::string_view text, const std::string& head);
  bool read_head(std::string_view line, const std::string& head);
  bool read_candidate(std::string_view line);
  void write_line(const std::string& line);
  [[noreturn]] void fail(const char* what, int code) const;

  FileSystem& files_;
  const std::string path_;
  const SearchSpace& space_;
  FileLock lock_;
  OwnedDescriptor file_;
  bool is_cut_ = false;  // the last line has no end
  bool has_head_ = false;
  std::map<Configuration, TuneCandidate> known_;
};

}  // namespace kiln
