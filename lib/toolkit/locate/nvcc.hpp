// nvcc: where it is, and which files decide what it makes. No process is started here.
#pragma once

#include "toolkit/locate/toolkit.hpp"

#include <optional>
#include <string>
#include <vector>

namespace kiln {

/// The nvcc to run, an absolute path; links are followed where they lead to an nvcc, which looks for its parts beside
/// the name that it is called by. `wanted` is CompileOptions::nvcc.path: a path, a name for PATH, or empty for the
/// toolkit's own, then the one on PATH, then those of the default install folders. Nothing where there is none.
std::optional<std::string> look_for_nvcc(const std::string& wanted);
/// The same; throws ToolkitError that lists what was searched, or says what is wrong with the file (a folder, not
/// executable).
std::string require_nvcc(const std::string& wanted);

/// Throws the ToolkitError for a machine without nvcc: what was searched, and how to install it. `what_else` goes
/// after the first clause.
[[noreturn]] void throw_no_nvcc(const std::string& what_else = {});

/// The same two for a made-up machine.
std::optional<std::string> look_for_nvcc(const std::string& wanted, const Toolkit& toolkit,
                                         const ToolkitSearch& search);
std::string require_nvcc(const std::string& wanted, const Toolkit& toolkit, const ToolkitSearch& search);

/// Every file whose content decides what a compile by that nvcc with those options makes: nvcc, and where it is a
/// script the one that it calls; nvcc.profile, cicc, ptxas, cudafe++, fatbinary, nvlink, libdevice; the host compiler
/// (of -ccbin, NVCC_CCBIN or PATH) and its cc1plus. Absolute, links resolved, in a fixed order. Searched once per
/// process for each set of options that matter, PATH and NVCC_CCBIN: cheap enough for every warm start. Thread-safe.
std::vector<std::string> nvcc_parts(const std::string& nvcc, const std::vector<std::string>& options);

/// The folder of the toolkit that it belongs to: the one above its own.
std::string nvcc_root(const std::string& nvcc);

/// The folders of the toolkit of that root that its headers are in, absolute.
std::vector<std::string> nvcc_include_dirs(const std::string& root);

}  // namespace kiln
