#include "template/template_scope.hpp"

#include "base/argument_error.hpp"
#include "base/text_parts.hpp"
#include "template/name_list.hpp"

namespace kiln {

namespace {

const TemplateData* member(const TemplateObject* object, std::string_view name) {
  if (object == nullptr) return nullptr;
  const auto found = object->find(name);
  return found == object->end() ? nullptr : &found->second;
}

}  // namespace

const TemplateScope::Frame* TemplateScope::innermost_loop() const {
  for (auto frame = frames_.rbegin(); frame != frames_.rend(); ++frame)
    if (frame->list != nullptr) return &*frame;
  return nullptr;
}

const TemplateData* TemplateScope::find_loop_value(std::string_view name, const Frame& loop) {
  if (name == "loop.index")
    loop_value_ = loop.index + 1;
  else if (name == "loop.index0")
    loop_value_ = loop.index;
  else if (name == "loop.first")
    loop_value_ = loop.index == 0;
  else if (name == "loop.last")
    loop_value_ = loop.index + 1 == loop.list->size();
  else
    return nullptr;
  return &loop_value_;
}

const TemplateData* TemplateScope::find_first(std::string_view name) const {
  for (auto frame = frames_.rbegin(); frame != frames_.rend(); ++frame)
    if (frame->data != nullptr)
      if (const TemplateData* found = member(frame->data->object(), name)) return found;
  return member(&data_, name);
}

const TemplateData& TemplateScope::find(std::string_view name, const UsePlace& use) {
  const Frame* const loop = innermost_loop();
  if (name == "." && loop != nullptr) return *loop->data;
  if (loop != nullptr)
    if (const TemplateData* found = find_loop_value(name, *loop)) return *found;
  std::string_view rest = name;
  std::string_view part = name == "." ? name : next_part(rest, '.');
  const TemplateData* found = find_first(part);
  if (found == nullptr) refuse(name, part, nullptr, use);
  while (!rest.empty()) {
    part = next_part(rest, '.');
    const TemplateData* const inner = member(found->object(), part);
    if (inner == nullptr) refuse(name, part, found, use);
    found = inner;
  }
  return *found;
}

void TemplateScope::refuse(std::string_view name, std::string_view missing, const TemplateData* within,
                           const UsePlace& use) const {
  const std::string given(name);
  if (name == ".")
    throw_argument_error(use.said() + "{@ . @} stands in no loop, whose item it would be", "a name", given);
  TemplateObject names;
  if (within == nullptr) {
    names = data_;
    for (const Frame& frame : frames_)
      if (frame.data != nullptr && frame.data->object() != nullptr)
        names.insert(frame.data->object()->begin(), frame.data->object()->end());
  } else if (within->object() != nullptr) {
    names = *within->object();
  }
  const std::string part(missing);
  throw_argument_error(use.said() + (part == given ? part : part + " of " + given) +
                           " is not among the data; there are: " + name_list(names) +
                           (innermost_loop() != nullptr ? ", and loop.index, index0, first, last" : ""),
                       "one of: " + name_list(names), given);
}

}  // namespace kiln
