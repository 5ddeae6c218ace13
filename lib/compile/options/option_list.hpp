// The user's compiler options, read as far as Kiln must understand them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kiln {

struct OptionList {
  std::vector<std::string> arguments;         // to hand on; include folders absolute, architectures taken out
  std::vector<std::string> path_independent;  // the same without the folders: a bare "-I", "--pre-include=/x.h"
  std::vector<std::string> include_dirs;      // absolute, in order
  std::vector<std::string> system_dirs;       // of -isystem, likewise; searched behind all include_dirs
  std::vector<std::string> forced;            // --pre-include, as spelled
  std::string arch;                           // of -arch or --gpu-architecture, the last one
  std::string code;                           // of -code or --gpu-code, likewise
  std::string listed_archs;                   // of -gencode, which says all about architectures: "sm_80,compute_90"
  std::string asks_for;                       // an option that asks for a kind of output, such as -ptx
  std::string asks_for_tile;                  // an option of CUDA Tile C++, such as --enable-tile
  std::string hides_headers;                  // an option that brings headers in from where Kiln does not see them
  std::vector<std::string> may_be_files;      // words of options, and their values, that name a file where there is one
  std::string side_effect;                    // an option that does more than make code, such as --create-pch
  bool embeds_working_folder = false;         // line information, debug information: absolute paths are in the code
};

/// Throws ArgumentError for an option that lacks its value.
OptionList read_options(const std::vector<std::string>& options, const std::string& working_folder);

/// KILN_DEFAULT_OPTIONS or PYCUDA_DEFAULT_NVCC_FLAGS, split at blanks that no quotes enclose. Throws ArgumentError for
/// a quote that is not closed, where `variable` names what the text is of.
std::vector<std::string> split_options(std::string_view text, const char* variable = nullptr);

/// What NVRTC, or nvcc, spells otherwise is translated; what is unknown is handed on as it is.
std::vector<std::string> options_for_nvrtc(const std::vector<std::string>& options);
std::vector<std::string> options_for_nvcc(const std::vector<std::string>& options);

/// The first option that only nvcc can follow, such as -Xcompiler; nothing where NVRTC can follow all.
std::optional<std::string> option_for_nvcc_only(const std::vector<std::string>& options);

}  // namespace kiln
