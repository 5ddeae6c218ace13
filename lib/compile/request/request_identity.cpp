#include "base/environment.hpp"
#include "base/path_text.hpp"
#include "compile/headers/source_scan.hpp"
#include "compile/options/option_table.hpp"
#include "compile/request/request.hpp"

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace kiln {

namespace {

/// What of the environment decides about a request. The first ones may name folders.
constexpr std::array<std::string_view, 20> variables = {"KILN_DEFAULT_OPTIONS",
                                                        "PYCUDA_DEFAULT_NVCC_FLAGS",
                                                        "NVCC_PREPEND_FLAGS",
                                                        "NVCC_APPEND_FLAGS",
                                                        "CPATH",
                                                        "C_INCLUDE_PATH",
                                                        "CPLUS_INCLUDE_PATH",
                                                        "NVCC_CCBIN",
                                                        "KILN_ARCH",
                                                        "KILN_BACKEND",
                                                        "KILN_CACHE_DIR",
                                                        "PYCUDA_CACHE_DIR",
                                                        "KILN_CACHE_READ_ONLY_DIRS",
                                                        "KILN_CACHE_TRUSTED_OWNERS",
                                                        "KILN_CACHE_PUBLIC_KEYS",
                                                        "XDG_CACHE_HOME",
                                                        "PATH",
                                                        "COMPILER_PATH",
                                                        "GCC_EXEC_PREFIX",
                                                        "HOME"};
constexpr std::ptrdiff_t folder_variables = 7;
using EnvironmentValues = std::array<const char*, variables.size()>;

/// Calls `take` for each field of the request, in an order that is always the same. A list is behind its size.
template <class Take>
class Fields {
 public:
  explicit Fields(const Take& take) : take_(take) {}

  void operator()(std::string_view text) const { take_(text); }
  void operator()(const std::string& text) const { take_(text); }
  void operator()(const std::filesystem::path& path) const { take_(path.native()); }
  void operator()(const Define& define) const { take_(define.name), take_(define.value); }
  void operator()(const std::pair<const std::string, std::string>& pair) const {
    take_(pair.first), take_(pair.second);
  }
  void operator()(const std::optional<bool>& value) const { number(value.value_or(true)); }  // of no_extern_c
  template <class Number>
  requires std::integral<Number> || std::is_enum_v<Number>
  void operator()(Number value) const { number(value); }
  template <class List>
  requires requires(const List& list) { list.begin(), list.size(); }
  void operator()(const List& list) const {
    number(list.size());
    for (const auto& item : list) (*this)(item);
  }

 private:
  template <class Number>
  void number(Number value) const {
    take_({reinterpret_cast<const char*>(&value), sizeof value});
  }

  const Take& take_;
};

template <class Take>
void for_each_field(std::string_view source, const CompileOptions& options, const CompileContext& context,
                    const EnvironmentValues& values, std::string_view folder, const Take& take) {
  const Fields<Take> add(take);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i] == nullptr) continue;
    const char place = static_cast<char>('A' + i);
    take({&place, 1});
    take(values[i]);
  }
  take({});
  for_each_option<in_identity>(compile_option_rows, [&](const auto& row) { add(row.of(options)); });
  // Not `waiting`: it decides what is worth making beside the code.
  add(context.device_arch), add(context.loads_cubin), add(context.plain);
  take(folder);
  take(source);
}

bool depends_on_folder(std::string_view source, const CompileOptions& options, const CompileContext& context,
                       const EnvironmentValues& values) {
  return std::any_of(values.begin(), values.begin() + folder_variables,
                     [](const char* value) { return value != nullptr; }) ||
         !context.loads_cubin || !options.include_dirs.empty() || !options.options.empty() || may_include(source);
}

}  // namespace

// Each field behind its length, so that no two requests have the same bytes. Sizes first: this is most of what the same
// module again costs.
std::string request_identity(std::string_view source, const CompileOptions& options, const CompileContext& context) {
  const EnvironmentValues values = environment_values(variables);
  const std::string folder = depends_on_folder(source, options, context, values) ? working_folder() : std::string();
  const auto for_each = [&](const auto& take) { for_each_field(source, options, context, values, folder, take); };
  std::size_t size = 0;
  for_each([&size](std::string_view field) { size += sizeof size + field.size(); });
  std::string identity(size, '\0');
  char* end = identity.data();
  for_each([&end](std::string_view field) {
    const std::size_t length = field.size();
    std::memcpy(end, &length, sizeof length);
    end = std::copy(field.begin(), field.end(), end + sizeof length);
  });
  return identity;
}

}  // namespace kiln
