// Wisdom: what tuning found out, kept beyond the process.
#pragma once

#include <kiln/export.hpp>
#include <kiln/problem_size.hpp>
#include <kiln/tune_value.hpp>

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kiln {

/// One line of wisdom: the best configuration that one tuning run found. A plain value.
struct WisdomRecord {
  std::string key;                  ///< TunableKernel::tuning_key
  std::string source;               ///< the digest of the kernel's source
  std::string device;               ///< its name, such as "NVIDIA H200"
  std::string arch;                 ///< such as "sm_90"
  int driver = 0;                   ///< 13000 is 13.0
  ProblemSize problem = 0;          ///< in elements
  TuneConfiguration configuration;  ///< the parameters' values
  double seconds = 0;               ///< the median time of a launch
  double spread = 0;                ///< seconds between the quartiles
  std::string objective = "time";   ///< "time", or "own" for TuneOptions::objective
  double value = 0;                 ///< the objective's; the seconds for "time"
  bool is_largest_best = false;     ///< TuneGoal::largest
  std::string date;                 ///< UTC, such as "2026-11-23T21:00:00Z"
};

/// How well a record fits what was asked for.
enum class WisdomMatch {
  exact,   ///< the device's name and the problem's size are the same
  device,  ///< the device is, and no record is of a nearer problem
  arch     ///< only the architecture is
};

/// "exact", "device", "arch".
KILN_EXPORT const char* to_string(WisdomMatch match) noexcept;

/// A record that was chosen, and why.
struct WisdomChoice {
  WisdomRecord record;  ///< what was chosen
  WisdomMatch match;    ///< how near it is
};

/// Folders of JSON lines, a file for each key. They are no cache: nothing here clears or evicts them.
///
/// A record is chosen so: of the same device and the same problem size; else of the same device, and the nearest
/// problem size of as many dimensions: the smallest sum of |log(a / b)| over them; else the same with devices of the
/// same architecture. Of equally near ones those of the same source come first, then those of the objective that was
/// used last, then the best value.
///
/// Lines that are cut, damaged or of a newer version are skipped, with a warning for each file. Copies read the same
/// folders. Every member may be called from any thread, also in several processes at once. Counterparts: FFTW's wisdom,
/// kernel_launcher's.
class KILN_EXPORT Wisdom {
 public:
  /// The folders of KILN_WISDOM_DIR, with ':' between them. The first one is the personal one, which is written; all
  /// are read. Unset: kiln/wisdom in XDG_DATA_HOME (~/.local/share), then kiln/wisdom in each of XDG_DATA_DIRS
  /// (/usr/local/share, /usr/share). Touches no file.
  Wisdom();
  /// This folder alone. It need not exist.
  explicit Wisdom(const std::filesystem::path& folder);
  /// JSON lines that are in the program itself, such as those of a file that was embedded. add() puts more after them.
  static Wisdom from_text(std::string_view text);

  /// Appends one record to the personal folder, which is made where it is missing. Other processes see it whole or not
  /// at all. Throws Error with the path where it cannot be written; the file is then as before, or the next line begins
  /// anew. Throws ArgumentError for a record without a key.
  void add(const WisdomRecord& record) const;
  /// Adds those records of the other that are not here. How many.
  std::size_t merge(const Wisdom& other) const;
  /// Leaves of the personal folder the best record for each key, source, device, problem size and objective. How many
  /// were removed.
  std::size_t prune() const;

  /// All that there is of a key, the personal folder first, each in the order of its file.
  std::vector<WisdomRecord> records(std::string_view key) const;
  std::vector<std::string> keys() const;  ///< in alphabetical order, each once
  /// The record by the rule above; nothing where there is none. `source` may be empty.
  std::optional<WisdomChoice> best(std::string_view key, std::string_view device, std::string_view arch,
                                   const ProblemSize& problem, std::string_view source = {}) const;

  /// All records as JSON lines: what from_text takes, and `kiln wisdom import`.
  std::string text() const;
  /// The first one is written; empty for from_text.
  const std::vector<std::filesystem::path>& folders() const noexcept;

 private:
  struct State;
  explicit Wisdom(std::shared_ptr<State> state);
  std::shared_ptr<State> state_;
};

}  // namespace kiln
