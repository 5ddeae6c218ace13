// From a compiler's file accesses to what must stay the same for its result to be used again.
#pragma once

#include "base/file_system.hpp"
#include "compile/headers/header_search_paths.hpp"
#include "worker/nvrtc/host_uses.hpp"
#include "worker/recording/file_record.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace kiln {

/// A word of a header.
struct KnownWord {
  std::string word;
  std::string text;  // such as "the header /p/x.h"
  std::size_t line;
};

/// With what compile_with_dependencies() must know of the texts that were read.
struct DependencyReport : HeaderReport {
  std::set<int> spelled_roots = {};          // own roots whose absolute path __FILE__ would begin with in some header
  bool uses_own_path = false;                // some own text or an option mentions __FILE__
  std::optional<KnownWord> known_word = {};  // the first of the wanted ones that is met
  std::string difference = {};               // HostUses::difference() of headers on disk
};

/// The dependencies of a compile that has just ended, by the record of all its file accesses:
///
///   own files                   one status call each
///   toolkit and system folders  one each, for all that was found and missing in them; with `strict` each header one
///   own folders                 one each where two or more names were missing in them
///   single absent paths         one each: the first part of the path that is missing
///   non-regular files           one each: what was found in the place of a header, and is none
///
/// Accesses that only say where the compiler works, or which compiler it is, are left out: its identity stands for its
/// programs and their files, and the request for in-memory headers and the source. `text` is own_text() of the request:
/// it is read for what no file access shows, the clock (of NVRTC, which always reads it) and paths. All headers that
/// were read, the toolkit's too, are searched for `words`. If a path now leads to another file than the compiler
/// opened, or to the same file with other times or content, the code is not stored. If `given` says what NVRTC was
/// given, own headers are searched for what differs with nvcc. Headers below one root belong together, and the source
/// belongs to those below its own root.
DependencyReport find_dependencies(FileSystem& files, const HeaderSearchPaths& search, std::string_view text,
                                   const FileRecord& record, bool strict, const std::vector<std::string>& words = {},
                                   const std::optional<GivenToNvrtc>& given = {});

/// The source, and what options define.
std::string own_text(std::string source, const std::vector<std::string>& options);

}  // namespace kiln
