#include "capture/captured_kernel.hpp"

#include "compile/code/code_data.hpp"
#include "compile/record/record.hpp"
#include "toolkit/names/kernel_name.hpp"

#include <algorithm>

namespace kiln {

namespace {

/// A name that every file system takes.
std::string for_files(std::string name) {
  constexpr std::size_t longest = 60;
  constexpr std::string_view letters = "-._ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
  std::replace_if(
      name.begin(), name.end(), [&](char c) { return letters.find(c) == std::string_view::npos; }, '_');
  if (!name.empty() && name.front() == '.') name.front() = '_';
  return name.substr(0, longest);
}

}  // namespace

std::string CapturedKernel::short_name() const {
  if (tuning) return for_files(tuning->key);
  const std::string qualified = parse_demangled(display_name()).qualified_name;
  return for_files(qualified.substr(0, qualified.find('<', 1)));
}

std::string CapturedKernel::identity() const {
  const std::shared_ptr<const CodeData>& data = code.data();
  if (!data->recipe) return info.name + "\n" + std::string(data->bytes);
  if (tuning) return tuning->key + "\n" + tuning->json + "\n" + data->recipe->source;
  return info.name + "\n" + source_request(data->recipe->source, data->recipe->options);
}

std::string_view CapturedKernel::source() const noexcept {
  const auto& recipe = code.data()->recipe;
  return recipe ? std::string_view(recipe->source) : std::string_view();
}

}  // namespace kiln
