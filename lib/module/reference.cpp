#include "module/reference.hpp"

#include "base/argument_error.hpp"

namespace kiln {

void Reference::refuse(const std::string& expected, const std::string& given, const std::string& advice) const {
  kiln::refuse(std::string(declared_.is_texture() ? "texture" : "surface") + " reference \"" + name_ + "\", declared " +
                   declaration(declared_),
               expected, given, advice);
}

void Reference::check_type(const ArrayDescriptor& descriptor) const {
  const int type = texture_type(descriptor);
  if (type != declared_.type) refuse("a " + type_text(declared_.type) + " array", "a " + type_text(type) + " array");
}

}  // namespace kiln
