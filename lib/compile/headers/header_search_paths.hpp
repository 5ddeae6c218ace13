// Where a compile looks for headers.
#pragma once

#include "cache/dependencies.hpp"
#include "cache/statistics.hpp"

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kiln {

/// Empty where it may be kept.
struct Refusal {
  Counter counter = Counter::refused;
  std::string text;

  bool empty() const noexcept { return text.empty(); }
  /// The first reason stands.
  void add(Counter reason, std::string words) {
    if (text.empty()) *this = {reason, std::move(words)};
  }
};

constexpr std::string_view clock_refusal = "__TIME__, __DATE__ or __TIMESTAMP__: each compile differs";

/// Where headers of one compile are looked for. All folders absolute.
struct HeaderSearchPaths {
  std::vector<std::string> dirs;         // in order, the user's before the toolkit's
  std::vector<std::string> toolkit;      // the toolkit's
  std::vector<std::string> system;       // the host compiler's are below these, and searched last
  Roots roots;                           // all places that the search starts from: the request's own first
  std::size_t own_roots = 0;             // so many of the roots are the request's own
  std::size_t working_folder_roots = 0;  // so many of these, the last ones, count from the working folder
  int source_root = -1;                  // the one of the source's folder, where its name is absolute
  bool uses_own_path = false;            // an option mentions __FILE__
  std::string working_folder;            // what relative names count from
  std::string source_name;               // as the compiler is given it
  std::string compiler_folder;           // nvcc's installation; empty for NVRTC
  /// Where the source's quoted includes are looked for first, and those of in-memory headers that none of them means.
  /// Of a relative name a working_folder_root.
  std::string source_dir;
  bool quotes_reach_source = false;           // and those of headers as well, behind the header's own folder
  std::map<std::string, std::string> memory;  // in-memory headers
  std::set<std::string> stand_ins;            // those of them that Kiln gave because no folder has them
  std::vector<std::string> forced;            // files of --pre-include

  bool is_working_folder_root(std::size_t root) const {
    return root < own_roots && root + working_folder_roots >= own_roots;
  }
};

/// The working folder as a root of its own, "/folder/./.": this spelling keeps its paths apart from those of other
/// roots, where one lies below the other.
std::string working_folder_root(const std::string& working_folder);
/// The path without that mark.
std::string plain_path(const std::string& path);

/// HeaderSearchPaths::system of nvcc: where systems install host compilers with their headers and programs.
std::vector<std::string> host_compiler_folders();

/// What a compile depends on.
struct HeaderReport {
  Dependencies dependencies;
  /// Why the result must not be kept; empty where it may be.
  Refusal refusal;
};

}  // namespace kiln
