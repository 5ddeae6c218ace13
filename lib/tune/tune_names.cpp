// The words of tuning's enumerations.
#include <kiln/tune_result.hpp>

namespace kiln {

const char* to_string(TuneStatus status) noexcept {
  switch (status) {
    case TuneStatus::ok:
      return "ok";
    case TuneStatus::not_compiled:
      return "not compiled";
    case TuneStatus::over_limits:
      return "over limits";
    case TuneStatus::launch_refused:
      return "launch refused";
    case TuneStatus::wrong_result:
      return "wrong result";
    case TuneStatus::timed_out:
      return "timed out";
    case TuneStatus::crashed:
      return "crashed";
  }
  return "unknown";
}

const char* to_string(TuneEnd end) noexcept {
  switch (end) {
    case TuneEnd::all_tried:
      return "all tried";
    case TuneEnd::max_variants:
      return "max variants";
    case TuneEnd::max_seconds:
      return "max seconds";
    case TuneEnd::cancelled:
      return "cancelled";
  }
  return "unknown";
}

}  // namespace kiln
