#include "compile/link/nvvm_input.hpp"

#include <kiln/compile.hpp>

namespace kiln {

LinkInputs without_nvvm_ir(LinkInputs inputs, const std::string& arch, bool lto, const CompileOptions& caching) {
  for (auto& input : inputs) {
    if (input->type != InputType::nvvm_ir) continue;
    CompileOptions options = caching;
    options.language = Language::nvvm_ir;
    options.target = lto ? Target::ltoir : Target::ptx;
    options.arch = "compute_" + arch.substr(3);
    options.name = input->name;
    const CodeObject code = compile(input->bytes(), options);
    LinkInput compiled{lto ? InputType::ltoir : InputType::ptx, input->name};
    compiled.code = code.data();
    input = std::make_shared<LinkInput>(std::move(compiled));
  }
  return inputs;
}

}  // namespace kiln
