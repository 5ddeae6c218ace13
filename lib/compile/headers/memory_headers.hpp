// In-memory headers mean what files in a folder of their own would, which is searched before all others.
#pragma once

#include "compile/compiler/compiler_job.hpp"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace kiln {

/// Headers by normal names: "a/x.h" for "./a//x.h". Names that no file in that folder can have stay as they are.
/// Throws ArgumentError for two texts that would be one file, and for a text with a zero byte.
std::map<std::string, std::string> normal_headers(const std::map<std::string, std::string>& headers);

/// Whether a file in the folder can have the name: "a/x.h", but not "/a/x.h", "../x.h" or "a/".
bool is_header_file_name(const std::string& name);

/// The names of in-memory headers that a quoted or angle-bracketed name may mean, in the source (an empty `folder`) or
/// in an in-memory header of that folder: the first one that there is.
std::vector<std::string> memory_header_names(const std::string& folder, const std::string& name, bool quoted);

/// The in-memory header that a quoted or angle-bracketed name means, in the source (an empty `folder`) or in an
/// in-memory header of that folder; empty where it means none. Names are normal ones.
std::string memory_header_for(const std::map<std::string, std::string>& headers, const std::string& folder,
                              const std::string& name, bool quoted);

/// Whether NVRTC, which takes the first in-memory header of the very name that any text spells, reads what it would
/// read if they were files.
bool names_suffice(const CompilerJob& job);

/// Whether the header is to be a file where names do not suffice: a user's, by a name that a file can have.
bool is_file_header(const std::string& name, const std::string& text);

/// The text with its #line, so that diagnostics, __FILE__ and line numbers are the header's own.
std::string named_text(const std::string& name, std::string_view text);

/// A header's text as a file in job.header_folder: names that mean in-memory headers lead there. What it quotes of
/// `source_dir` leads there likewise.
std::string header_file_text(const CompilerJob& job, const std::string& name, const std::string& source_dir);

/// The job's source for NVRTC, where its headers are files in job.header_folder.
std::string source_with_header_files(const CompilerJob& job);

}  // namespace kiln
