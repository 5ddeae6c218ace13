#include "passed_scalar.hpp"

#include "launch/argument_check.hpp"

namespace kiln::tool {

namespace {

PassedArgument converted(const ElementType& type, std::uint64_t bits) {
  return {std::string(reinterpret_cast<const char*>(&bits), type.size), type.value()};
}

/// An extern "C" kernel's whole numbers have a size and no sign: that of the number which is given.
const ElementType* type_of_kind(const Parameter& parameter, const Literal& literal) {
  if (parameter.kind == ParameterKind::floating)
    return element_type(parameter.size == sizeof(float) ? "float" : "double");
  if (parameter.kind != ParameterKind::integer && parameter.kind != ParameterKind::integer_or_pointer) return nullptr;
  std::uint64_t bits = 0;
  const bool is_positive = convert_literal(literal, *element_type("unsigned long"), &bits);
  switch (parameter.size) {
    case 1:
      return element_type(is_positive ? "unsigned char" : "signed char");
    case 2:
      return element_type(is_positive ? "unsigned short" : "short");
    case 4:
      return element_type(is_positive ? "unsigned int" : "int");
    case 8:
      return element_type(is_positive ? "unsigned long" : "long");
    default:
      return nullptr;
  }
}

/// Null where the number's own type has to do.
const ElementType* type_for(const Parameter& parameter, const Literal& literal) {
  return parameter.type.empty() ? type_of_kind(parameter, literal) : element_type(parameter.type);
}

}  // namespace

PassedArgument passed_scalar(const std::string& kernel, const RunArgument& argument, const ScalarArgument& scalar,
                             const Parameter* parameter) {
  const auto refuse = [&](const std::string& expected, const char* hint) {
    throw_wrong_argument(kernel, argument.index, expected, argument.text, hint);
  };
  std::uint64_t bits = 0;
  if (scalar.stated != nullptr) {
    (void)convert_literal(scalar.literal, *scalar.stated, &bits);  // it was looked at when it was read
    return converted(*scalar.stated, bits);
  }
  if (parameter != nullptr && parameter->kind == ParameterKind::pointer)
    refuse(describe(*parameter), "; a vector is written float[1000]=zeros, no memory at all as null");
  const ElementType* const type = parameter == nullptr ? nullptr : type_for(*parameter, scalar.literal);
  if (type == nullptr || type->kind == ElementType::Kind::complex)
    return converted(*scalar.literal.type, scalar.literal.bits);
  if (!convert_literal(scalar.literal, *type, &bits)) refuse(literal_range(*type), "");
  return converted(*type, bits);
}

}  // namespace kiln::tool
