// Where a compile looks for headers.
#pragma once

#include "cache/dependencies.hpp"
#include "compile/headers/refusal.hpp"

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace kiln {

/// Where headers of one compile are looked for. All folders absolute.
struct HeaderSearch {
  std::vector<std::string> dirs;     // in order, the user's before the toolkit's
  std::vector<std::string> toolkit;  // the toolkit's
  std::vector<std::string> system;   // the host compiler's are below these, and searched last
  Roots roots;                       // all places that the search starts from: the request's own first
  std::size_t own_roots = 0;         // so many of the roots are the request's own
  std::size_t floating_roots = 0;    // so many of these, the last ones, are floating folders
  int source_root = -1;              // the one of the source's folder, where its name is absolute
  bool uses_own_path = false;        // an option mentions __FILE__
  std::string working_folder;        // what relative names count from
  std::string source_name;           // as the compiler is given it
  std::string compiler_folder;       // nvcc's installation; empty for NVRTC
  /// Where the source's quoted includes are looked for first, and those of in-memory headers that none of them means.
  /// Of a relative name a floating_folder.
  std::string source_dir;
  bool quotes_reach_source = false;           // and those of headers as well, behind the header's own folder
  std::map<std::string, std::string> memory;  // in-memory headers
  std::set<std::string> stand_ins;            // those of them that Kiln gave because no folder has them
  std::vector<std::string> forced;            // files of --pre-include

  bool floats(std::size_t root) const { return root < own_roots && root + floating_roots >= own_roots; }
};

/// The working folder as a root of its own: "/folder/./.". It may lie below an include folder or hold one, which must
/// not matter, so that a path through it is spelled as none is that leads through another root.
std::string floating_folder(const std::string& working_folder);
/// Such a path as others spell it.
std::string settled_path(const std::string& floating);

/// What came of it.
struct HeaderReport {
  Dependencies dependencies;
  /// Why the result must not be kept; empty where it may be.
  Refusal refusal;
  /// Own roots whose absolute path __FILE__ would begin with in some header.
  std::set<int> spelled_roots;
  /// Some own text or an option mentions __FILE__.
  bool uses_own_path = false;
};

}  // namespace kiln
