// nvcc: where it is, and which files decide what it makes. No process is started here.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace kiln {

/// The nvcc to run, an absolute path. `wanted` is CompileOptions::nvcc: a path, a name for PATH, or empty for the
/// toolkit's own and then the one on PATH. Nothing where there is none.
std::optional<std::string> look_for_nvcc(const std::string& wanted);
/// The same; throws ToolkitError that tells what was searched, or what is wrong with the file (a folder, not
/// executable).
std::string require_nvcc(const std::string& wanted);

/// Throws the ToolkitError for a machine without nvcc: what was searched, and how to install it. `what_else` goes behind
/// the first clause.
[[noreturn]] void throw_no_nvcc(const std::string& what_else = {});

/// Every file whose content decides what a compile by that nvcc with those options makes: nvcc, nvcc.profile, cicc,
/// ptxas, cudafe++, fatbinary, nvlink, libdevice; the host compiler (of -ccbin, NVCC_CCBIN or PATH) and its cc1plus.
/// Absolute, links resolved, in a fixed order. Cheap enough for every warm start: no process, few status calls.
std::vector<std::string> nvcc_parts(const std::string& nvcc, const std::vector<std::string>& options);

/// The folders of that nvcc's toolkit that its headers are in, absolute.
std::vector<std::string> nvcc_include_dirs(const std::string& nvcc);

}  // namespace kiln
