// TemplateData: the nested values of a template with loops and conditions.
#pragma once

#include <kiln/template_value.hpp>

#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace kiln {

class TemplateData;

/// What a loop goes over: TemplateList{1, 2, 3}.
using TemplateList = std::vector<TemplateData>;
/// Data by name: TemplateObject{{"type", "float"}, {"terms", TemplateList{"x", "y"}}}.
using TemplateObject = std::map<std::string, TemplateData, std::less<>>;

/// A value, a truth value, a list or an object. A plain value type; lists and objects are shared between copies, which
/// may be read by several threads, and do not change.
class TemplateData {
  template <class T, bool = detail::is_sequence<T>>
  struct IsSequenceOfData : std::false_type {};
  template <class T>
  struct IsSequenceOfData<T, true> : std::is_constructible<TemplateData, const detail::ElementType<T>&> {};

 public:
  TemplateData() = default;  // a value without text
  /// A bool is for conditions, and a value too.
  template <class T, std::enable_if_t<std::is_same_v<T, bool>, int> = 0>  // and no pointer
  TemplateData(T value) : value_(value), is_bool_(true) {}                // NOLINT(google-explicit-constructor)
  TemplateData(TemplateValue value) : value_(std::move(value)) {}         // NOLINT(google-explicit-constructor)
  TemplateData(TemplateList list)                                         // NOLINT(google-explicit-constructor)
      : list_(std::make_shared<const TemplateList>(std::move(list))) {}
  TemplateData(TemplateObject object)  // NOLINT(google-explicit-constructor)
      : object_(std::make_shared<const TemplateObject>(std::move(object))) {}
  /// What a TemplateValue takes, or a sequence of anything that a TemplateData takes, such as std::vector, or in C++20
  /// a view that can be read when const: std::views::iota(0, 4). A sequence becomes a list.
  template <class T, class = std::enable_if_t<
                         !std::is_same_v<T, TemplateData> && !std::is_same_v<T, bool> &&
                         std::disjunction_v<std::is_constructible<TemplateValue, const T&>, IsSequenceOfData<T>>>>
  TemplateData(const T& value) : TemplateData(from(value)) {}  // NOLINT(google-explicit-constructor)

  bool is_bool() const noexcept { return is_bool_; }  ///< whether it was made of a bool
  /// Null where it is something else.
  const TemplateList* list() const noexcept { return list_.get(); }
  const TemplateObject* object() const noexcept { return object_.get(); }  ///< null where it is something else
  /// Null where it is a list or an object.
  const TemplateValue* value() const noexcept { return list_ || object_ ? nullptr : &value_; }

 private:
  template <class T>
  static TemplateData from(const T& value) {
    if constexpr (detail::is_sequence<T>) {
      TemplateList list;
      for (auto item = std::begin(value); item != std::end(value); ++item)
        list.emplace_back(static_cast<const detail::ElementType<T>&>(*item));
      return list;
    } else {
      return TemplateValue(value);
    }
  }

  TemplateValue value_;
  bool is_bool_ = false;
  std::shared_ptr<const TemplateList> list_;
  std::shared_ptr<const TemplateObject> object_;
};

}  // namespace kiln
