#include "compile/nvvm/used_kernels.hpp"

#include "compile/nvvm/nvvm_ir.hpp"
#include "toolkit/image/code_info.hpp"

namespace kiln {

std::string module_that_uses_kernels(std::string_view ptx) {
  const std::vector<KernelInfo> kernels = read_ptx(ptx).kernels;
  if (kernels.empty()) return {};
  std::string declarations;
  std::string uses;
  for (const KernelInfo& kernel : kernels) {
    // Its true parameters are those of the definition, with which libnvvm joins this.
    declarations += "declare void @\"" + kernel.name + "\"()\n";
    uses += (uses.empty() ? "" : ", ") + ("i8* bitcast (void ()* @\"" + kernel.name) + "\" to i8*)";
  }
  return "target datalayout = \"" + std::string(nvvm_layout) + "\"\ntarget triple = \"" + std::string(nvvm_triple) +
         "\"\n" + declarations + "@llvm.used = appending global [" + std::to_string(kernels.size()) + " x i8*] [" +
         uses + "], section \"llvm.metadata\"\n!nvvmir.version = !{!0}\n!0 = !{i32 2, i32 0}\n";
}

}  // namespace kiln
