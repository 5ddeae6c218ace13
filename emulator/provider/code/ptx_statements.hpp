// Splits a PTX text into its statements at module scope, for the linker.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace kiln::emulator {

struct PtxStatement {
  enum class Kind {
    version,        // .version 9.0
    target,         // .target sm_90
    address_size,   // .address_size 64
    file,           // .file 1 "a.cu"
    section,        // .section .debug_str { ... }
    function,       // with a body
    function_head,  // without
    variable,
    other,
  };
  Kind kind = Kind::other;
  std::string_view text;  // including the comments before it
  std::string_view name;  // declared or defined name
  bool is_extern = false, is_weak = false, is_visible = false;

  bool defines() const { return (kind == Kind::function || kind == Kind::variable) && !is_extern; }
};

/// The statements in order; joined they are the text, which must be valid PTX.
std::vector<PtxStatement> statements_of(std::string_view ptx);

/// Replaces identifiers, except in comments and strings.
std::string renamed(std::string_view ptx, const std::map<std::string_view, std::string>& names);

}  // namespace kiln::emulator
