// The linker: from PTX to PTX.
#include "emulator/provider/code/link.hpp"
#include "emulator/provider/code/load.hpp"
#include "emulator/provider/context/call.hpp"
#include "emulator/provider/context/context.hpp"
#include "emulator/ptx/parse.hpp"

namespace {

using namespace kiln::emulator;

struct LinkState {
  std::mutex mutex;
  JitLog log;
  std::vector<LinkInputText> inputs;
  std::string linked;  // the result of cuLinkComplete
};
using Links = HandleTable<CUlinkState, LinkState>;

std::shared_ptr<LinkState> link_of(CUlinkState handle) {
  std::shared_ptr<LinkState> link = Links::get().find(handle);
  if (link == nullptr) throw CallError(CUDA_ERROR_INVALID_HANDLE, "");
  return link;
}

void check_type(CUjitInputType type, const std::string& name) {
  if (type == CU_JIT_INPUT_PTX || type == CU_JIT_INPUT_FATBINARY) return;
  throw CallError(CUDA_ERROR_NO_BINARY_FOR_GPU,
                  name + ": the emulator links PTX, and fatbins that have it: no machine code, objects or libraries");
}

// NVIDIA's device runtime, which is machine code: its functions are built into the emulator.
bool is_device_runtime(CUjitInputType type, std::string_view bytes) {
  return type == CU_JIT_INPUT_LIBRARY && bytes.starts_with("!<arch>\n") &&
         bytes.find("cuda_device_runtime.o/") != std::string_view::npos;
}

void add_input(LinkState& link, CUjitInputType type, std::string_view bytes, const std::string& name) {
  if (is_device_runtime(type, bytes)) return;
  const std::lock_guard lock(link.mutex);
  with_log(link.log, [&] {
    check_type(type, name);
    LinkInputText input{name, ptx_of_bytes(bytes)};
    (void)ptx::parse(input.ptx);  // reports errors early
    link.inputs.push_back(std::move(input));
    return CUDA_SUCCESS;
  });
}

void complete(LinkState& link) {
  const std::lock_guard lock(link.mutex);
  with_log(link.log, [&] {
    try {
      link.linked = link_ptx(link.inputs);
    } catch (const LinkFailure& failure) {
      throw CallError(CUDA_ERROR_INVALID_IMAGE, failure.what());
    }
    return CUDA_SUCCESS;
  });
}

}  // namespace

KILN_EMULATOR_API cuLinkCreate(unsigned count, CUjit_option* options, void** values, CUlinkState* out) {
  return call(__func__, [&] {
    require(out != nullptr);
    (void)current_context();
    auto link = std::make_shared<LinkState>();
    link->log = JitLog(count, options, values);
    *out = Links::get().add(std::move(link));
    return CUDA_SUCCESS;
  });
}

KILN_EMULATOR_API cuLinkAddData(CUlinkState handle, CUjitInputType type, void* data, size_t size, const char* name,
                                unsigned, CUjit_option*, void**) {
  return call(__func__, [&] {
    require(data != nullptr && size != 0);
    add_input(*link_of(handle), type, {static_cast<const char*>(data), size}, name == nullptr ? "an input" : name);
    return CUDA_SUCCESS;
  });
}

KILN_EMULATOR_API cuLinkAddFile(CUlinkState handle, CUjitInputType type, const char* path, unsigned, CUjit_option*,
                                void**) {
  return call(__func__, [&] {
    require(path != nullptr);
    add_input(*link_of(handle), type, read_code_file(path), path);
    return CUDA_SUCCESS;
  });
}

// The code belongs to the link state and ends with a zero byte.
KILN_EMULATOR_API cuLinkComplete(CUlinkState handle, void** code, size_t* size) {
  return call(__func__, [&] {
    require(code != nullptr);
    const std::shared_ptr<LinkState> link = link_of(handle);
    complete(*link);
    *code = link->linked.data();
    if (size != nullptr) *size = link->linked.size();
    return CUDA_SUCCESS;
  });
}

KILN_EMULATOR_API cuLinkDestroy(CUlinkState handle) {
  return call(__func__,
              [&] { return Links::get().take(handle) == nullptr ? CUDA_ERROR_INVALID_HANDLE : CUDA_SUCCESS; });
}
