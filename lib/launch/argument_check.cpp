#include "launch/argument_check.hpp"

#include "base/library_version.hpp"
#include "base/type_name.hpp"
#include "launch/types_fit.hpp"

#include <kiln/error.hpp>

#include <string_view>

namespace kiln {

namespace {

const char* kind_name(ParameterKind kind) {
  switch (kind) {
    case ParameterKind::pointer:
      return "pointer, ";
    case ParameterKind::integer:
      return "integer, ";
    case ParameterKind::floating:
      return "floating, ";
    case ParameterKind::integer_or_pointer:
      return "integer or pointer, ";
    default:
      return "";
  }
}

std::string bytes_text(std::size_t size) { return std::to_string(size) + (size == 1 ? " byte" : " bytes"); }

/// The remedy where a usual slip shows, else nothing.
const char* hint(const Parameter& parameter, const detail::ArgumentInfo& argument) {
  for (const std::string_view container : {"::device_vector<", "::host_vector<", "::universal_vector<", "std::vector<"})
    if (parameter.type.find(container) != std::string::npos)
      return "; a kernel takes no containers of the host: let it take a pointer and the number of elements";
  // A class, such as complex<float>, takes no number.
  const bool may_be_any = parameter.kind == ParameterKind::other && parameter.type.empty();
  const bool takes_integer = parameter.kind == ParameterKind::integer || may_be_any;
  const bool takes_floating = parameter.kind == ParameterKind::floating || may_be_any;
  if (argument.kind == ParameterKind::integer && argument.size == 4 && parameter.size == 8 && takes_integer)
    return "; a plain literal is an int: write it as a long long (0LL), or cast it to the kernel's type";
  if (argument.kind == ParameterKind::floating && argument.size == 8 && parameter.size == 4 && takes_floating)
    return "; a plain literal such as 0.5 is a double: write 0.5f, or cast it to float";
  if (argument.kind == ParameterKind::floating && argument.size == 4 && parameter.size == 8 && takes_floating)
    return "; cast it to double";
  if (argument.kind == ParameterKind::integer && parameter.kind == ParameterKind::floating)
    return "; nothing is converted at a launch: write 1.0f (float) or 1.0 (double), or cast it";
  if (argument.kind == ParameterKind::pointer && parameter.kind == ParameterKind::pointer)
    return "; where the memory is meant as the kernel's type all the same, pass an untyped address: "
           "static_cast<void*>(pointer), or a CUdeviceptr such as DeviceBuffer::device_pointer()";
  if (argument.kind == ParameterKind::integer && parameter.kind == ParameterKind::pointer)
    return "; an address kept in an integer is passed as CUdeviceptr (unsigned long long)";
  if (argument.kind == ParameterKind::integer || argument.kind == ParameterKind::floating)
    return "; nothing is converted at a launch: cast it to the kernel's type";
  return "";
}

bool kind_fits(const Parameter& parameter, const detail::ArgumentInfo& argument) {
  if (parameter.kind == ParameterKind::other || argument.kind == ParameterKind::other) return true;
  if (parameter.kind == ParameterKind::integer_or_pointer) return argument.kind != ParameterKind::floating;
  return parameter.kind == argument.kind || (parameter.kind == ParameterKind::pointer && argument.may_be_pointer);
}

bool type_fits(const Parameter& parameter, const detail::ArgumentInfo& given) {
  if (parameter.type.empty()) return true;
  const detail::ArgumentInfo& argument = passed_for(parameter, given);
  if (parameter.kind == ParameterKind::pointer && argument.may_be_pointer && argument.kind == ParameterKind::integer)
    return true;
  return types_fit(parameter.type, type_name(*argument.type));
}

}  // namespace

bool fits(const Parameter& parameter, const detail::ArgumentInfo& given) {
  const detail::ArgumentInfo& argument = passed_for(parameter, given);
  return parameter.size == argument.size && kind_fits(parameter, argument) && contents_fit(parameter, argument);
}

bool contents_fit(const Parameter& parameter, const detail::ArgumentInfo& argument) {
  if (parameter.type.empty()) return true;
  if (argument.kind == ParameterKind::pointer) return pointee_fits(parameter.type, argument.pointee);
  return argument.kind != ParameterKind::other || views_fit(parameter.type, type_name(*argument.type));
}

bool takes_view(const Parameter& parameter, const detail::ArgumentInfo& argument) {
  return argument.by_value != nullptr && parameter.kind == ParameterKind::other &&
         parameter.size == argument.by_value->size;
}

const detail::ArgumentInfo& passed_for(const Parameter& parameter, const detail::ArgumentInfo& argument) {
  return takes_view(parameter, argument) ? *argument.by_value : argument;
}

const void* place_for(const Parameter& parameter, const detail::ArgumentInfo& argument, const void* place) {
  return takes_view(parameter, argument) ? static_cast<const detail::ViewSlot*>(place)->view : place;
}

void throw_misfit(const std::string& kernel, std::size_t index, const Parameter& parameter,
                  const detail::ArgumentInfo& given) {
  const bool wants_view = given.by_value != nullptr && parameter.kind == ParameterKind::other;
  const detail::ArgumentInfo& argument = wants_view ? *given.by_value : given;
  throw_wrong_argument(without_library_versions(kernel), index, describe(parameter), describe(argument),
                       hint(parameter, argument));
}

std::string describe(const Parameter& parameter) {
  const bool is_reference = parameter.type.ends_with('&');
  const std::string facts =
      (is_reference ? "reference, " : kind_name(parameter.kind)) + bytes_text(parameter.size) +
      (is_reference ? ": pass a pointer to device memory, or declare the parameter without &" : "");
  return parameter.type.empty() ? facts : without_library_versions(parameter.type) + " (" + facts + ")";
}

std::string describe(const detail::ArgumentInfo& argument) {
  return type_name(*argument.type) + " (" + kind_name(argument.kind) + bytes_text(argument.size) + ")";
}

std::string count_text(std::size_t count) {
  return count == 0 ? "no arguments" : std::to_string(count) + (count == 1 ? " argument" : " arguments");
}

void throw_wrong_argument(const std::string& kernel, std::size_t index, const std::string& expected,
                          const std::string& given, const std::string& hint) {
  throw ArgumentError("kernel " + kernel + ": argument " + std::to_string(index) + " (counted from 0): expected " +
                          expected + ", given " + given + hint,
                      kernel, index, expected, given);
}

void throw_wrong_count(const std::string& kernel, const std::vector<Parameter>& parameters, std::size_t given_count) {
  std::string list;
  for (const Parameter& parameter : parameters) {
    const std::string text = describe(parameter);
    list += (list.empty() ? ": " : ", ") + (parameter.type.empty() ? "(" + text + ")" : text);
  }
  const std::string expected = count_text(parameters.size());
  const std::string given = count_text(given_count);
  throw ArgumentError("kernel " + kernel + " takes " + expected + list + "; given " + given, kernel,
                      ArgumentError::no_index, expected, given);
}

void check_arguments(const std::string& kernel, const std::vector<Parameter>& parameters,
                     const detail::Signature& signature) {
  if (parameters.size() != signature.count) throw_wrong_count(kernel, parameters, signature.count);
  for (std::size_t i = 0; i < signature.count; ++i)
    if (!fits(parameters[i], signature.arguments[i])) throw_misfit(kernel, i, parameters[i], signature.arguments[i]);
}

void check_argument_types(const std::string& kernel, const std::vector<Parameter>& parameters,
                          const detail::Signature& signature) {
  check_arguments(kernel, parameters, signature);
  for (std::size_t i = 0; i < signature.count; ++i)
    if (!type_fits(parameters[i], signature.arguments[i]))
      throw_misfit(kernel, i, parameters[i], signature.arguments[i]);
}

}  // namespace kiln
