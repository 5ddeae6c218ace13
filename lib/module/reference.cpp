#include "module/reference.hpp"

namespace kiln {

void Reference::refuse(const std::string& expected, const std::string& given, const std::string& advice) const {
  throw ArgumentError(std::string(declared_.is_texture() ? "texture" : "surface") + " reference \"" + name_ +
                          "\", declared " + declaration(declared_) + ": expected " + expected + ", given " + given +
                          advice,
                      {}, ArgumentError::no_index, expected, given);
}

void Reference::check_type(const ArrayDescriptor& descriptor) const {
  const int type = texture_type(descriptor);
  if (type != declared_.type) refuse("a " + type_text(declared_.type) + " array", "a " + type_text(type) + " array");
}

}  // namespace kiln
