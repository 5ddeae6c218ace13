#include "base/environment.hpp"
#include "base/path_text.hpp"
#include "cache/key.hpp"
#include "compile/request.hpp"
#include "compile/source_scan.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace kiln {

namespace {

/// What of the environment decides about a request. The first ones may name folders.
constexpr std::array<std::string_view, 19> variables = {"KILN_DEFAULT_OPTIONS",
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
                                                        "XDG_CACHE_HOME",
                                                        "PATH",
                                                        "COMPILER_PATH",
                                                        "GCC_EXEC_PREFIX",
                                                        "HOME"};
constexpr std::ptrdiff_t folder_variables = 7;
constexpr std::string_view places = "ABCDEFGHIJKLMNOPQRS";  // what stands for each

}  // namespace

std::string request_identity(std::string_view source, const CompileOptions& options, const CompileWish& wish) {
  KeyBuilder identity(source.size() + 1024);
  const auto values = environment_values(variables);
  for (std::size_t i = 0; i < values.size(); ++i)
    if (values[i] != nullptr) identity.add(std::string_view(&places[i], 1), values[i]);
  const bool names_folders = std::any_of(values.begin(), values.begin() + folder_variables,
                                         [](const char* value) { return value != nullptr; });
  identity.add("", options.options);
  for (const auto& folder : options.include_dirs) identity.add("I", folder.native());
  for (const Define& define : options.defines) identity.add("D", define.name).add("", define.value);
  identity.add("arch", options.arch).add("", wish.device_arch).add("", options.code);
  const auto digit = [](int value) { return static_cast<char>('0' + value); };
  const char flags[] = {digit(static_cast<int>(options.target)),
                        digit(static_cast<int>(options.backend)),
                        digit(static_cast<int>(options.language)),
                        digit(wish.loads_cubin),
                        digit(wish.plain),
                        digit(options.strict_headers),
                        digit(options.no_extern_c.value_or(true))};
  identity.add("", std::string_view(flags, sizeof flags));
  identity.add("", options.name);
  for (const auto& header : options.headers) identity.add("h", header.first).add("", header.second);
  identity.add("", options.name_expressions);
  identity.add("", options.nvcc);
  identity.add("", options.cache_dir.native());
  for (const auto& folder : options.read_only_cache_dirs) identity.add("r", folder.native());
  identity.add("", options.trusted_owners);
  if (names_folders || !wish.loads_cubin || may_include(source) || !options.include_dirs.empty() ||
      !options.options.empty())
    identity.add("cwd", working_folder());
  identity.add("source", source);
  return identity.bytes();
}

}  // namespace kiln
