// TuneValue: one value of a tuning parameter.
#pragma once

#include <kiln/export.hpp>

#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace kiln {

/// An integer, a boolean, a floating number or a text (a type, an option, any C++). A plain value type. Numbers are
/// kept as long long and double; unsigned ones above the largest long long, infinity and NaN throw ArgumentError.
class KILN_EXPORT TuneValue {
 public:
  /// What it may be.
  using Kind = std::variant<long long, bool, double, std::string>;

  /// A text, or any number or boolean, so that {64, 128} and {"float", "double"} are lists of values.
  /// @{
  TuneValue(const char* text) : value_(std::string(text)) {}       // NOLINT(google-explicit-constructor)
  TuneValue(std::string_view text) : value_(std::string(text)) {}  // NOLINT(google-explicit-constructor)
  TuneValue(std::string text) : value_(std::move(text)) {}         // NOLINT(google-explicit-constructor)
  template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>
  TuneValue(T value) : value_(kind_of(value)) {}  // NOLINT(google-explicit-constructor)
  /// @}

  const Kind& kind() const noexcept { return value_; }  ///< for std::get and std::visit
  bool is_text() const noexcept { return std::holds_alternative<std::string>(value_); }  ///< whether it is a text

  /// As a macro's value or a template argument, whatever the locale: "64", "true", "0.5", a text as it is. The text of
  /// a double reads back to the same double.
  std::string text() const;
  /// As JSON: 64, true, 0.5, "float4".
  std::string json() const;

  /// Whether kind and value are the same: 1, true and 1.0 are three values.
  /// @{
  friend bool operator==(const TuneValue& a, const TuneValue& b) { return a.value_ == b.value_; }
  friend bool operator!=(const TuneValue& a, const TuneValue& b) { return !(a == b); }
  /// @}

 private:
  static Kind integer(unsigned long long value);
  static Kind floating(double value);

  template <class T>
  static Kind kind_of(T value) {
    if constexpr (std::is_same_v<T, bool>)
      return value;
    else if constexpr (std::is_floating_point_v<T>)
      return floating(static_cast<double>(value));
    else if constexpr (std::is_signed_v<T>)
      return static_cast<long long>(value);
    else
      return integer(value);
  }

  Kind value_;
};

/// Names of parameters with their values, in the parameters' order.
using TuneConfiguration = std::vector<std::pair<std::string, TuneValue>>;

}  // namespace kiln
