// A PTX text taken apart at module scope, for the linker.
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
  std::string_view text;  // all of it, with the comments before it
  std::string_view name;  // what it declares or defines
  bool is_extern = false, is_weak = false, is_visible = false;

  bool defines() const { return (kind == Kind::function || kind == Kind::variable) && !is_extern; }
};

/// The statements in order: together they are the text. For a text that the parser takes.
std::vector<PtxStatement> statements_of(std::string_view ptx);

/// The text with identifiers replaced, outside comments and strings.
std::string renamed(std::string_view ptx, const std::map<std::string_view, std::string>& names);

}  // namespace kiln::emulator
