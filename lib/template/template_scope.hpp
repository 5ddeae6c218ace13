// What names mean at a place of a template.
#pragma once

#include "template/text_place.hpp"

#include <kiln/template_data.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace kiln {

/// The data, and the sections that are being rendered, the innermost last.
class TemplateScope {
 public:
  explicit TemplateScope(const TemplateObject& data) : data_(data) {}

  /// A loop's item.
  void enter_item(const TemplateList& list, std::size_t index) { frames_.push_back({&list[index], &list, index}); }
  /// An object; null is a condition, which brings no names.
  void enter(const TemplateData* object) { frames_.push_back({object, nullptr, 0}); }
  void leave() { frames_.pop_back(); }

  /// Good until the next call. Throws ArgumentError; `use` is the name's place.
  const TemplateData& find(std::string_view name, const UsePlace& use);

 private:
  struct Frame {
    const TemplateData* data;
    const TemplateList* list;
    std::size_t index;
  };

  const Frame* innermost_loop() const;
  const TemplateData* find_loop_value(std::string_view name, const Frame& loop);
  const TemplateData* find_first(std::string_view name) const;
  [[noreturn]] void refuse(std::string_view name, std::string_view missing, const TemplateData* within,
                           const UsePlace& use) const;

  const TemplateObject& data_;
  std::vector<Frame> frames_;
  TemplateData loop_value_{false};
};

}  // namespace kiln
