// Why a launch was not captured.
#pragma once

#include <string>
#include <utility>

namespace kiln {

/// Thrown and caught within this component: a fault of a capture is a warning, never an error of the program.
class NotCaptured {
 public:
  /// A kernel has one warning of a kind; a reason alone is its own.
  explicit NotCaptured(std::string reason, std::string kind = {})
      : reason_(std::move(reason)), kind_(kind.empty() ? reason_ : std::move(kind)) {}
  const std::string& reason() const noexcept { return reason_; }
  const std::string& kind() const noexcept { return kind_; }

 private:
  std::string reason_;
  std::string kind_;
};

}  // namespace kiln
