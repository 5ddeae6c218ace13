#include "launch/prepared_plan.hpp"

#include "launch/argument_check.hpp"
#include "launch/argument_conversion.hpp"

#include <kiln/error.hpp>

#include <algorithm>
#include <string>
#include <utility>

namespace kiln {

namespace {

using Value = ArgumentCode::Value;

constexpr std::size_t most_noted = 64;  // arguments, in the bits of a word

bool kinds_fit(const Parameter& parameter, const ArgumentCode& code) {
  if (parameter.kind == ParameterKind::other || code.value == Value::bytes) return true;
  if (parameter.kind == ParameterKind::pointer && code.text == "Q") return true;  // for a CUdeviceptr, as argument.hpp
  if (parameter.kind == ParameterKind::integer_or_pointer &&
      (code.kind() == ParameterKind::integer || code.kind() == ParameterKind::pointer))
    return true;
  // A class of the host may have another name for what is a scalar in the kernel, an enumeration or half.
  return parameter.kind == code.kind() || (code.value == Value::object && code.type.empty());
}

const char* kind_hint(const Parameter& parameter, const ArgumentCode& code) {
  if (parameter.kind == ParameterKind::pointer) return "; the code of a pointer is P";
  if (code.value == Value::pointer) return "; P is for pointers only: a texture object or an address as a number is Q";
  if (code.size == parameter.size) return "; prepare it with the code of the kernel's type";
  return "";
}

/// The offset of the code's value after `end`, by its own alignment, or, where that is not defined, by the kernel's.
std::size_t offset_of(const ArgumentCode& code, std::size_t end, const Parameter& parameter) {
  end += code.padding;
  if (code.alignment == 0) return std::max(end, parameter.offset);
  return (end + code.alignment - 1) / code.alignment * code.alignment;
}

void check_codes(const std::string& kernel, const std::vector<Parameter>& parameters,
                 const std::vector<ArgumentCode>& codes) {
  if (parameters.size() != codes.size()) throw_wrong_count(kernel, parameters, codes.size());
  std::size_t end = 0;
  for (std::size_t i = 0; i < codes.size(); ++i) {
    const Parameter& parameter = parameters[i];
    const ArgumentCode& code = codes[i];
    if (parameter.size != code.size || !kinds_fit(parameter, code))
      throw_wrong_argument(kernel, i, kiln::describe(parameter), code.describe(), kind_hint(parameter, code));
    const std::size_t offset = offset_of(code, end, parameter);
    if (offset != parameter.offset)
      throw_wrong_argument(kernel, i, kiln::describe(parameter) + " at byte " + std::to_string(parameter.offset),
                           code.describe() + " at byte " + std::to_string(offset),
                           "; the code is aligned otherwise than the kernel's type: \"" + std::to_string(code.size) +
                               "s\" takes any value of this size wherever the kernel has it");
    end = offset + code.size;
  }
}

/// What is passed for the code: the view itself where the code is a class of its size.
const detail::ArgumentInfo& passed_for(const ArgumentCode& code, const detail::ArgumentInfo& argument) {
  const bool takes_view = argument.by_value != nullptr && argument.by_value->size == code.size &&
                          (code.value == Value::bytes || code.value == Value::object);
  return takes_view ? *argument.by_value : argument;
}

const char* hint(const ArgumentCode& code, const detail::ArgumentInfo& argument) {
  if (code.value == Value::pointer && argument.kind == ParameterKind::integer)
    return "; an address kept in an integer is passed as CUdeviceptr (unsigned long long)";
  if (code.value == Value::pointer && argument.kind == ParameterKind::other)
    return "; a type that stands for device memory needs a kiln::DevicePointer of one line";
  if (code.kind() == ParameterKind::integer && argument.kind == ParameterKind::floating)
    return "; no floating value becomes an integer: cast it";
  return "";
}

[[noreturn]] void throw_misfit(const std::string& kernel, std::size_t index, const ArgumentCode& code,
                               const detail::ArgumentInfo& argument, const void* value) {
  if (fit(code, argument) == Fit::never)
    throw_wrong_argument(kernel, index, code.describe(), describe(argument), hint(code, argument));
  throw_wrong_argument(kernel, index, range_text(code), value_text(argument, value) + ", " + describe(argument), "");
}

}  // namespace

PreparedPlan::PreparedPlan(std::shared_ptr<Kernel> prepared_kernel, std::vector<ArgumentCode> argument_codes,
                           const Dim3* prepared_block, const TextureReferences& prepared_texrefs)
    : kernel(std::move(prepared_kernel)),
      has_block(prepared_block != nullptr),
      has_texrefs(!prepared_texrefs.empty()),
      block(prepared_block != nullptr ? *prepared_block : Dim3{}),
      codes(std::move(argument_codes)) {
  for (std::size_t i = 0; i < prepared_texrefs.size(); ++i) texrefs.push_back(prepared_texrefs[i]);
  if (const std::vector<Parameter>* parameters = kernel->known_parameters())
    check_codes(kernel->display_name(), *parameters, codes);
}

void PreparedPlan::fit_each(void** arguments, std::uint64_t* converted, const detail::Signature& signature) const {
  if (converting_signature_.load(std::memory_order_acquire) == &signature) {
    std::size_t index = 0;
    for (std::uint64_t left = conversions_; left != 0; left >>= 1, ++index)
      if ((left & 1) != 0) convert_one(index, arguments, converted, signature);
    return;
  }
  if (signature.count != codes.size()) throw_count(signature);
  const std::vector<Parameter>* const parameters = kernel->known_parameters();
  std::uint64_t conversions = 0;
  bool exact = true;
  for (std::size_t i = 0; i < codes.size(); ++i) {
    const detail::ArgumentInfo& argument = passed_for(codes[i], signature.arguments[i]);
    if (parameters != nullptr && !contents_fit((*parameters)[i], argument))
      kiln::throw_misfit(kernel->display_name(), i, (*parameters)[i], argument);
    const Fit how = kiln::fit(codes[i], argument);
    if (how == Fit::exact) continue;
    exact = false;
    if (how == Fit::never) throw_misfit(kernel->display_name(), i, codes[i], argument, arguments[i]);
    convert_one(i, arguments, converted, signature);
    conversions |= std::uint64_t{1} << (i % most_noted);
  }
  if (exact)
    exact_signature.store(&signature, std::memory_order_relaxed);
  else if (codes.size() <= most_noted)
    keep_conversions(signature, conversions);
}

void PreparedPlan::place_views(void** arguments, const detail::Signature& signature) const noexcept {
  for (std::size_t i = 0; i < std::min(codes.size(), signature.count); ++i)
    if (&passed_for(codes[i], signature.arguments[i]) != &signature.arguments[i])
      arguments[i] = const_cast<void*>(static_cast<const detail::ViewSlot*>(arguments[i])->view);
}

void PreparedPlan::convert_one(std::size_t index, void** arguments, std::uint64_t* converted,
                               const detail::Signature& signature) const {
  const detail::ArgumentInfo& argument = signature.arguments[index];
  if (!convert(codes[index], argument, arguments[index], converted[index]))
    throw_misfit(kernel->display_name(), index, codes[index], argument, arguments[index]);
  arguments[index] = &converted[index];
}

void PreparedPlan::keep_conversions(const detail::Signature& signature, std::uint64_t which) const {
  if (conversions_taken_.exchange(true, std::memory_order_relaxed)) return;
  conversions_ = which;
  converting_signature_.store(&signature, std::memory_order_release);
}

void PreparedPlan::throw_count(const detail::Signature& signature) const {
  std::string list;
  for (const ArgumentCode& code : codes) list += (list.empty() ? ": " : ", ") + code.describe();
  std::string hint;
  if (signature.count == codes.size() + 1) {
    if (*signature.arguments[0].type == typeid(Dim3))
      hint = "; the block was given to prepare(), so it is left out here";
    else if (signature.arguments[0].kind == ParameterKind::integer)
      hint = "; a block is a kiln::Dim3, and left out where prepare() had it: a number there is an argument too many";
  }
  const std::string expected = count_text(codes.size());
  const std::string given = count_text(signature.count);
  throw ArgumentError(
      "kernel " + kernel->display_name() + " was prepared for " + expected + list + "; given " + given + hint,
      kernel->display_name(), ArgumentError::no_index, expected, given);
}

}  // namespace kiln
