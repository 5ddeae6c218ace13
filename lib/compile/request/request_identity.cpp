#include "base/environment.hpp"
#include "base/path_text.hpp"
#include "compile/headers/source_scan.hpp"
#include "compile/request/request.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

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
void for_each_field(std::string_view source, const CompileOptions& options, const CompileContext& context,
                    const EnvironmentValues& values, std::string_view folder, const Take& take) {
  const auto take_size = [&take](const auto& list) {
    const std::uint64_t size = list.size();
    take({reinterpret_cast<const char*>(&size), sizeof size});
  };
  const auto take_all = [&](const std::vector<std::string>& list) {
    take_size(list);
    for (const std::string& item : list) take(item);
  };
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i] == nullptr) continue;
    const char place = static_cast<char>('A' + i);
    take({&place, 1});
    take(values[i]);
  }
  // All members by name: a new one does not build until it is decided here what it is to a request.
  const auto& [words, include_dirs, defines, late_defines, arch, target, backend, name, headers, header_callback,
               name_expressions, cache, caching, keep, keep_ptx, timing, no_extern_c, nvcc, language, timeout, cancel] =
      options;
  const auto& [cache_dir, read_only_dirs, trusted_owners, public_keys, remote, strict_headers, require_hit, durable] =
      caching;
  const auto& [nvcc_path, code] = nvcc;
  const auto& [device_arch, loads_cubin, plain, waiting] = context;
  (void)header_callback;        // what it gives is in the headers by now: with_called_headers
  (void)cache, (void)keep;      // with another value nothing is looked up
  (void)timing;                 // how long it takes, not what is made
  (void)timeout, (void)cancel;  // when to stop, not what to make
  (void)remote;                 // it fills the folder
  (void)require_hit;            // whether a miss is an error
  (void)durable;                // how it is stored, not what is found
  (void)waiting;                // what is worth making beside it
  take({});
  take_all(words);
  take_size(include_dirs);
  for (const auto& dir : include_dirs) take(dir.native());
  for (const auto* list : {&defines, &late_defines}) {
    take_size(*list);
    for (const Define& define : *list) take(define.name), take(define.value);
  }
  take(arch), take(device_arch), take(code);
  const auto digit = [](int value) { return static_cast<char>('0' + value); };
  const char flags[] = {digit(static_cast<int>(target)),
                        digit(static_cast<int>(backend)),
                        digit(static_cast<int>(language)),
                        digit(loads_cubin),
                        digit(plain),
                        digit(strict_headers),
                        digit(keep_ptx),
                        digit(no_extern_c.value_or(true))};
  take({flags, sizeof flags});
  take(name);
  take_size(headers);
  for (const auto& header : headers) take(header.first), take(header.second);
  take_all(name_expressions);
  take(nvcc_path);
  take(cache_dir.native());
  take_size(read_only_dirs);
  for (const auto& dir : read_only_dirs) take(dir.native());
  take_all(trusted_owners);
  take_size(public_keys);
  for (const auto& path : public_keys) take(path.native());
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
