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

IrRequest make_ir_request(std::string_view ir, const CompileOptions& options, const CompileContext& context,
                          const Stop& stop) {
  require_sense_for_ir(options);
  NvvmOptions read = read_nvvm_options(options.options);
  IrRequest made;
  made.ir = ir;
  made.name = !options.name.empty() ? options.name : is_bitcode(ir) ? "kernel.bc" : "kernel.ll";
  made.stop = stop;
  made.libdevice = libdevice_functions(ir);
  Request& request = made.request;
  request.compiler.backend = Backend::nvvm;
  request.context = context;
  request.job.name = made.name;
  request.job.target = options.target;
  set_job_options(request.job, options);
  request.job.arguments = std::move(read.arguments);
  OptionList list;
  list.arch = read.arch;
  resolve_arch(request, list, options);
  made.wants_cubin =
      options.target == Target::cubin && context.loads_cubin && (!request.explicit_arch || request.explicit_arch->real);
  return made;
}

std::string libdevice_for_job(const IrRequest& request) {
  if (request.libdevice.empty()) return {};
  try {
    return require_libdevice();
  } catch (const ToolkitError& error) {
    std::string names;
    for (const std::string& name : request.libdevice) names += (names.empty() ? "" : ", ") + name;
    throw ToolkitError("\"" + request.name + "\" declares " + names + ", which libdevice has: " + error.what(),
                       error.searched());
  }
}

std::string ir_key(const IrRequest& request, const std::string& maker) {
  const Request& inner = request.request;
  KeyBuilder key(request.ir.size() + 512);
  // 3: entries have the options that libnvvm was given.
  key.add("key", "nvvm 3").add("compiler", maker);
  key.add("arch", inner.explicit_arch ? inner.explicit_arch->text() : std::string());
  key.add("device", inner.explicit_arch ? std::string() : inner.context.device_arch);
  key.add("target", target_name(inner.job.target)).add("cubin", request.wants_cubin ? "1" : "0");
  add_job_options(key, inner.job);
  key.add("options", inner.job.arguments).add("source", request.ir);
  return std::move(key).take();
}

}  // namespace kiln
