// What LLVM IR says of itself, as far as Kiln must know it before libnvvm sees it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kiln {

/// The target of a device's code, as every libnvvm takes it.
inline constexpr std::string_view nvvm_layout =
    "e-p:64:64:64-i1:8:8-i8:8:8-i16:16:16-i32:32:32-i64:64:64-i128:128:128-f32:32:32-f64:64:64-v16:16:16-v32:32:32-"
    "v64:64:64-v128:128:128-n16:32:64";
inline constexpr std::string_view nvvm_triple = "nvptx64-nvidia-cuda";

struct IrFacts {
  bool is_bitcode = false;
  bool is_whole = false;      // of bitcode: it was walked through without meeting anything malformed
  std::string producer = {};  // of bitcode, "LLVM14.0.6"; empty where it is not named, as before LLVM 3.8
  std::optional<std::string> layout = {};
  std::optional<std::string> triple = {};
  /// Of text only: the IR version of !nvvmir.version, and the lines (from 1) that first spell a pointer as "i32*", as
  /// "ptr", and metadata as "metadata !{", which is older than LLVM 3.6; 0 where none does.
  std::optional<std::pair<int, int>> version = {};
  int typed_pointer_line = 0;
  int opaque_pointer_line = 0;
  int old_metadata_line = 0;
};

/// Whether the bytes are LLVM bitcode, bare or in its wrapper.
bool is_bitcode(std::string_view ir);

/// Never throws for what is no IR: then little is known.
IrFacts read_ir(std::string_view ir);

/// The functions of libdevice ("__nv_sinf") that the IR declares and does not define; of bitcode, whose names have no
/// ends, one text that says so.
std::vector<std::string> libdevice_functions(std::string_view ir);

/// Of its first module. Never throws: what is malformed has few facts.
IrFacts read_bitcode(std::string_view bitcode);

}  // namespace kiln
