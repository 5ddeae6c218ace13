#include "generate/element_sizes.hpp"

#include "generate/reserved_text.hpp"
#include "launch/kernel.hpp"
#include "launch/types_fit.hpp"

#include <kiln/detail/element_count.hpp>
#include <kiln/error.hpp>

#include <charconv>

namespace kiln {

namespace {

/// The number in "__kiln_sized<8ul>".
std::size_t size_named_by(const std::string& type) {
  const std::size_t begin = type.find('<');
  std::size_t size = 0;
  if (begin != std::string::npos) std::from_chars(type.data() + begin + 1, type.data() + type.size(), size);
  return size;
}

/// The size of the host's elements; 0 if their type does not give it.
std::size_t host_size(const detail::Pointee& pointee) { return pointee.levels > 1 ? sizeof(void*) : pointee.size; }

}  // namespace

std::string element_sizes_text(const VectorArguments& arguments) {
  std::string sizes;
  for (const GeneratedParameter& parameter : arguments.parameters)
    if (parameter.is_of_class) sizes += ", __kiln_sized<sizeof(*" + parameter.name + ")>";
  if (sizes.empty()) return {};
  return "template <unsigned long __kiln_bytes> struct __kiln_sized {};\n__global__ void " + arguments.kernel +
         sizes_suffix + "(" + parameters_text(arguments.parameters) + sizes + ") {}\n";
}

std::vector<std::size_t> ElementSizes::read(const VectorArguments& arguments) const {
  std::vector<std::size_t> bytes(arguments.parameters.size(), 0);
  const std::vector<Parameter>* const types = kernel_of(kernel_).known_parameters();
  bool has_classes = false;
  for (std::size_t k = 0; k < bytes.size(); ++k) {
    if (types != nullptr && arguments.parameters[k].is_vector) bytes[k] = pointee_size(types->at(k).type);
    has_classes = has_classes || arguments.parameters[k].is_of_class;
  }
  if (!has_classes) return bytes;
  const Function sizes_kernel = module_.get_function(arguments.kernel + sizes_suffix);
  const std::vector<Parameter>* const sizes = kernel_of(sizes_kernel).known_parameters();
  if (sizes == nullptr) return bytes;
  for (std::size_t k = 0, at = bytes.size(); k < bytes.size(); ++k)
    if (arguments.parameters[k].is_of_class) bytes[k] = size_named_by(sizes->at(at++).type);
  return bytes;
}

void ElementSizes::check(const VectorArguments& arguments, const detail::VectorCall& call) const {
  std::call_once(read_, [&] { bytes_ = read(arguments); });
  for (std::size_t k = 0; k < bytes_.size(); ++k) {
    const std::size_t given = host_size(call.types->arguments[k].pointee);
    if (bytes_[k] == 0 || given == 0 || given == bytes_[k]) continue;
    if (arguments.count_of(call, k) == detail::unknown_count) continue;
    const std::string expected = "elements of " + std::to_string(bytes_[k]) + " bytes";
    const std::string has = "elements of " + std::to_string(given) + " bytes";
    std::string text = "kernel ";
    text.append(arguments.kernel).append(": ").append(arguments.parameters[k].name).append(" has ").append(has);
    text.append(", and must have ").append(expected).append(", as \"").append(arguments.parameters[k].text);
    throw ArgumentError(text + "\" has in the source", arguments.kernel, k, expected, has);
  }
}

}  // namespace kiln
