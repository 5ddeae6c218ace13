// What the engine of tuning knows of kernels and devices.
#pragma once

#include "tune/search_space.hpp"

#include <kiln/cancel.hpp>
#include <kiln/error.hpp>
#include <kiln/tune_result.hpp>

#include <memory>
#include <string>

namespace kiln {

/// One candidate failed, and how. After a crash, or a launch that does not end, nothing can be launched any more.
class TuneFailure : public Error {
 public:
  TuneFailure(TuneStatus status, const std::string& why, bool is_last = false)
      : Error(why), status_(status), is_last_(is_last) {}
  TuneStatus status() const noexcept { return status_; }
  bool is_last() const noexcept { return is_last_; }

 private:
  TuneStatus status_;
  bool is_last_;
};

/// A configuration that was compiled. Members are called on the measuring thread, in this order; load() and what
/// follows throw TuneFailure where the candidate is no good.
class TuneVariant {
 public:
  TuneVariant() = default;
  virtual ~TuneVariant() = default;
  TuneVariant(const TuneVariant&) = delete;
  TuneVariant& operator=(const TuneVariant&) = delete;

  /// Equal for variants with the same code and the same launch.
  virtual std::string program() const = 0;
  /// Loads the code, and looks whether the device can run it.
  virtual void load() = 0;
  /// Launches it once and looks at its outputs.
  virtual void verify() = 0;
  /// The seconds of one launch on the device.
  virtual double time() = 0;
};

/// A kernel with its arguments on a device.
class TuneTarget {
 public:
  TuneTarget() = default;
  virtual ~TuneTarget() = default;
  TuneTarget(const TuneTarget&) = delete;
  TuneTarget& operator=(const TuneTarget&) = delete;

  virtual Configuration default_configuration() const = 0;
  /// Called from several threads at once. Throws Error for what cannot be compiled.
  virtual std::unique_ptr<TuneVariant> compile(const Configuration& configuration, const CancelToken& cancel) = 0;
  /// Launches this one, loaded, once; what it puts out is what verify() compares with from now on.
  virtual void make_reference(TuneVariant& variant) = 0;
  /// Seconds of a clock that only goes forward; from any thread.
  virtual double now() const = 0;
  /// One line of JSON: all that must be the same where a log file's measurements are to be used again.
  virtual std::string identity() const = 0;
};

}  // namespace kiln
