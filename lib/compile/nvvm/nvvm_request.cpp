#include "compile/nvvm/nvvm_request.hpp"

#include "cache/key.hpp"
#include "compile/nvvm/nvvm_ir.hpp"
#include "compile/nvvm/nvvm_options.hpp"
#include "compile/options/option_list.hpp"
#include "compile/options/option_table.hpp"
#include "compile/options/target_name.hpp"
#include "toolkit/locate/component_finder.hpp"

#include <kiln/error.hpp>

namespace kiln {

Request make_ir_request(std::string_view ir, const CompileOptions& options, const CompileContext& context) {
  require_sense_for_ir(options);
  NvvmOptions read = read_nvvm_options(options.options);
  Request request;
  request.compiler.backend = Backend::nvvm;
  request.context = context;
  request.libdevice = libdevice_functions(ir);
  request.job.name = !options.name.empty() ? options.name : is_bitcode(ir) ? "kernel.bc" : "kernel.ll";
  request.job.target = options.target;
  set_job_options(request.job, options);
  request.job.arguments = std::move(read.arguments);
  OptionList list;
  list.arch = read.arch;
  resolve_arch(request, list, options);
  request.wants_cubin =
      options.target == Target::cubin && context.loads_cubin && (!request.explicit_arch || request.explicit_arch->real);
  return request;
}

std::string libdevice_for_job(const Request& request) {
  if (request.libdevice.empty()) return {};
  try {
    return require_libdevice();
  } catch (const ToolkitError& error) {
    std::string names;
    for (const std::string& name : request.libdevice) names += (names.empty() ? "" : ", ") + name;
    throw ToolkitError("\"" + request.job.name + "\" declares " + names + ", which libdevice has: " + error.what(),
                       error.searched());
  }
}

std::string ir_key(std::string_view ir, const Request& request) {
  KeyBuilder key(ir.size() + 512);
  // 3: entries have the options that libnvvm was given.
  key.add("key", "nvvm 3").add("compiler", request.compiler.identity);
  key.add("arch", request.explicit_arch ? request.explicit_arch->text() : std::string());
  key.add("device", request.explicit_arch ? std::string() : request.context.device_arch);
  key.add("target", target_name(request.job.target)).add("cubin", request.wants_cubin ? "1" : "0");
  add_job_options(key, request.job);
  key.add("options", request.job.arguments).add("source", ir);
  return std::move(key).take();
}

}  // namespace kiln
