// The parameters of the kernels in inputs.
#include "compile/nvjitlink/link_input.hpp"
#include "toolkit/image/fatbin_view.hpp"

#include <kiln/error.hpp>

namespace kiln {

namespace {

/// Of an object or a fatbin.
ParameterKinds kinds_of_container(std::string_view bytes) {
  if (code_kind(bytes) == CodeKind::fatbin) return parameter_kinds_of_fatbin(bytes);
  ParameterKinds kinds;
  if (code_kind(bytes) != CodeKind::cubin) return kinds;
  for (const std::string_view fatbin : embedded_fatbins(bytes)) merge_kinds(kinds, parameter_kinds_of_fatbin(fatbin));
  return kinds;
}

ParameterKinds kinds_of(const LinkInput& input) {
  switch (input.type) {
    case InputType::ptx:
      return parameter_kinds_of_ptx(input.bytes());
    case InputType::cubin:
      return input.code ? parameter_kinds_of(input.code->info()) : ParameterKinds();
    case InputType::fatbin:
      return input.code ? parameter_kinds_of(input.code->info()) : kinds_of_container(input.bytes());
    case InputType::object:
      return kinds_of_container(input.bytes());
    case InputType::library: {
      ParameterKinds kinds;
      for (const std::string_view member : library_members(input.bytes()))
        merge_kinds(kinds, kinds_of_container(member));
      return kinds;
    }
    default:
      return {};
  }
}

}  // namespace

ParameterKinds parameter_kinds_of(const LinkInput& input) {
  if (!input.path.empty()) return {};
  try {
    return kinds_of(input);
  } catch (const Error&) {  // the linker will say what is wrong
    return {};
  }
}

}  // namespace kiln
