#include "launch/kernel_parameters.hpp"

#include "toolkit/names/kernel_name.hpp"

namespace kiln {

std::optional<std::vector<Parameter>> driver_parameters(CUkernel kernel, const std::string& symbol,
                                                        const AskKinds& ask_kinds) {
  const Driver& driver = Driver::get();
  if (driver.kernel_get_param_info == nullptr) return std::nullopt;
  KernelInfo kernel_info;
  kernel_info.name = symbol;
  std::vector<Parameter>& parameters = kernel_info.parameters;
  Parameter next;
  CUresult result = CUDA_SUCCESS;
  while ((result = driver.kernel_get_param_info(kernel, parameters.size(), &next.offset, &next.size)) == CUDA_SUCCESS)
    parameters.push_back(next);
  // The driver's way of saying that there are no more.
  if (result != CUDA_ERROR_INVALID_VALUE) check_driver(result, "cuKernelGetParamInfo", " for kernel " + symbol);
  add_readable_name(kernel_info);
  const bool is_in_name = parameters.empty() || !parameters.front().type.empty();
  if (!is_in_name && ask_kinds) add_kinds(kernel_info, ask_kinds());
  return parameters;
}

}  // namespace kiln
