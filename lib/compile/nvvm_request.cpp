#include "compile/nvvm_request.hpp"

#include "cache/key.hpp"
#include "compile/code_sections.hpp"
#include "compile/linkers_here.hpp"
#include "compile/nvvm_ir.hpp"
#include "compile/nvvm_options.hpp"
#include "compile/option_list.hpp"
#include "compile/request_arch.hpp"
#include "compile/tool_digests.hpp"
#include "toolkit/component_finder.hpp"

#include <atomic>
#include <memory>

namespace kiln {

namespace {

constexpr std::string_view maker_prefix = "nvvm:";

/// A file that is looked for until it is found, once a process.
class FoundFile {
 public:
  const std::string* get(std::optional<std::string> (*find)()) {
    if (const std::string* path = known_.load(std::memory_order_acquire)) return path;
    auto found = find();
    if (!found) return nullptr;
    auto fresh = std::make_unique<const std::string>(*std::move(found));
    const std::string* expected = nullptr;
    // Never destroyed: compiles may run while the process exits.
    return known_.compare_exchange_strong(expected, fresh.get(), std::memory_order_acq_rel) ? fresh.release()
                                                                                            : expected;
  }

 private:
  std::atomic<const std::string*> known_{nullptr};
};

const std::string* nvvm_file() {
  static FoundFile file;
  return file.get(find_nvvm);
}
const std::string* libdevice_file() {
  static FoundFile file;
  return file.get(find_libdevice);
}
const std::string* nvjitlink_file() {
  static FoundFile file;
  return file.get(find_nvjitlink);
}

/// "+driver:13.0"; nothing where there is no driver either.
std::optional<std::string> identity_of_driver() {
  const LinkersHere here;
  if (!here.driver().version) return std::nullopt;
  return "+" + here.identity_of_driver().text;
}

}  // namespace

IrRequest make_ir_request(std::string_view ir, const CompileOptions& options, const CompileWish& wish,
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
  request.wish = wish;
  request.job.name = made.name;
  request.job.target = options.target;
  request.job.arguments = std::move(read.arguments);
  OptionList list;
  list.arch = read.arch;
  settle_arch(request, list, options);
  made.wants_cubin =
      options.target == Target::cubin && wish.loads_cubin && (!request.explicit_arch || request.explicit_arch->real);
  return made;
}

Backend ir_linker() { return nvjitlink_file() != nullptr ? Backend::nvjitlink : Backend::driver; }

std::optional<std::string> ir_maker_here(const IrRequest& request, CacheStore* store) {
  std::vector<const std::string*> files{nvvm_file()};
  if (!request.libdevice.empty()) files.push_back(libdevice_file());
  const bool by_driver = request.wants_cubin && ir_linker() == Backend::driver;
  if (request.wants_cubin && !by_driver) files.push_back(nvjitlink_file());
  std::vector<std::string> paths;
  for (const std::string* file : files) {
    if (file == nullptr) return std::nullopt;
    paths.push_back(*file);
  }
  const auto driver = by_driver ? identity_of_driver() : std::string();
  if (!driver) return std::nullopt;
  return std::string(maker_prefix) + tools_digest(FileSystem::real(), paths, store) + *driver;
}

bool is_ir_maker(std::string_view maker) { return maker.substr(0, maker_prefix.size()) == maker_prefix; }

std::string ir_key(const IrRequest& request, const std::string& maker) {
  const Request& settled = request.request;
  KeyBuilder key(request.ir.size() + 512);
  key.add("key", "nvvm 2").add("compiler", maker);
  key.add("arch", settled.explicit_arch ? settled.explicit_arch->text() : std::string());
  key.add("device", settled.explicit_arch ? std::string() : settled.wish.device_arch);
  key.add("target", target_name(settled.job.target)).add("cubin", request.wants_cubin ? "1" : "0");
  key.add("options", settled.job.arguments).add("source", request.ir);
  return std::move(key).take();
}

}  // namespace kiln
