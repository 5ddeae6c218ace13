#include "vector_file.hpp"

#include "base/argument_error.hpp"
#include "base/digest.hpp"

#include <kiln/error.hpp>

#include <algorithm>
#include <charconv>

namespace kiln::tool {

VectorFile read_vector_file(const std::string& text) {
  std::size_t index = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), index);
  const auto digits = static_cast<std::size_t>(end - text.data());
  if (error != std::errc() || digits == text.size() || text[digits] != '=') return {std::nullopt, text};
  return {index, text.substr(digits + 1)};
}

namespace {

std::string list_vectors(const KernelCall& call, bool only_outputs) {
  std::string list;
  for (const CallVector& vector : call.vectors())
    if (vector.is_output || !only_outputs) list += (list.empty() ? "" : ", ") + std::to_string(vector.index);
  return list.empty() ? "none" : list;
}

}  // namespace

std::size_t vector_place(const KernelCall& call, const std::string& option, const std::optional<std::size_t>& index) {
  std::optional<std::size_t> found;
  bool is_several = false;
  for (std::size_t i = 0; i < call.vectors().size(); ++i) {
    const CallVector& vector = call.vectors()[i];
    const bool is_named =
        index && (vector.index == *index || std::count(vector.others.begin(), vector.others.end(), *index) != 0);
    if (index ? !is_named : !vector.is_output) continue;
    is_several = found.has_value();
    found = i;
  }
  if (found && !is_several) return *found;
  if (index)
    throw_argument_error(option + ": argument " + std::to_string(*index) +
                             " (counted from 0) is no vector; vectors are " + list_vectors(call, false),
                         list_vectors(call, false), std::to_string(*index));
  throw_argument_error(option + ": the outputs are " + list_vectors(call, true) +
                           ", and not one alone: write the argument's position before the file, such as 0=x.npy",
                       "one output", list_vectors(call, true));
}

std::vector<Expected> read_expected(const std::vector<std::string>& texts) {
  std::vector<Expected> expected;
  for (const std::string& text : texts) {
    const VectorFile file = read_vector_file(text);
    try {
      expected.push_back({file.path, read_npy_file(file.path), file.index, 0});
    } catch (const Error& error) {
      throw_argument_error("--expect " + text + ": " + error.what(), "a file of NumPy's (.npy)", file.path);
    }
  }
  return expected;
}

void place_expected(const KernelCall& call, std::vector<Expected>& expected) {
  for (Expected& each : expected) {
    each.place = vector_place(call, "--expect " + each.path, each.index);
    const Array& array = call.vectors()[each.place].array;
    if (array.shape != each.array.shape)
      throw_argument_error("--expect " + each.path + ": the file has " +
                               array_type_text(*each.array.type, each.array.shape) + ", the argument is " +
                               array_type_text(*array.type, array.shape),
                           array_type_text(*array.type, array.shape), each.path);
  }
}

std::string digest_of_expected(const std::vector<Expected>& expected) {
  RunningDigest digest;
  for (const Expected& each : expected) {
    digest.update(std::to_string(each.place) + " " + array_type_text(*each.array.type, each.array.shape) + "\n");
    digest.update(each.array.bytes);
  }
  return digest.value().hex();
}

}  // namespace kiln::tool
