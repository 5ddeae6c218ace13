#include "toolkit/image/code_info.hpp"

namespace kiln {

CodeKind code_kind(std::string_view bytes) noexcept {
  if (bytes.substr(0, 4) == std::string_view("\x7f"
                                             "ELF",
                                             4))
    return CodeKind::cubin;
  if (bytes.substr(0, 4) == std::string_view("\x50\xed\x55\xba", 4)) return CodeKind::fatbin;
  if (bytes.find(".version") != std::string_view::npos && bytes.find(".target") != std::string_view::npos)
    return CodeKind::ptx;
  return CodeKind::unknown;
}

}  // namespace kiln
