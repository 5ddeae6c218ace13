// The driver's linker: its code is the first input, and its logs tell what it was given.
#include "fake_cuda.hpp"
#include "fake_state.hpp"

#include <cstring>

using fake_cuda::call;
using fake_cuda::State;

namespace {

struct Link {
  std::map<CUjit_option, void*> options;
  std::string inputs;
  std::string code;

  void log(CUjit_option buffer, CUjit_option size, const std::string& text) const {
    const auto place = options.find(buffer);
    const auto room = options.find(size);
    if (place == options.end() || room == options.end()) return;
    const auto most = reinterpret_cast<std::size_t>(room->second);
    if (most == 0) return;
    const std::size_t length = std::min(text.size(), most - 1);
    std::memcpy(place->second, text.data(), length);
    static_cast<char*>(place->second)[length] = '\0';
  }
};

// Guarded by the state's mutex.
std::map<CUlinkState, std::unique_ptr<Link>> links;
std::string error_text;

CUresult refuse(const Link& link, CUresult result) {
  link.log(CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES, error_text);
  return result;
}

CUresult add(CUlinkState handle, CUjitInputType type, const std::string& bytes, const char* name) {
  Link* const link = fake_cuda::find(links, handle);
  if (link == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  if (type == CU_JIT_INPUT_PTX && (bytes.empty() || bytes.back() != '\0')) return CUDA_ERROR_INVALID_VALUE;
  link->inputs += std::to_string(type) + ' ' + name + '\n';
  if (link->code.empty()) link->code = bytes;
  return CUDA_SUCCESS;
}

}  // namespace

namespace fake_cuda {

std::size_t live_links() {
  const std::lock_guard lock(State::get().mutex);
  return links.size();
}

void set_link_error(const std::string& text) {
  const std::lock_guard lock(State::get().mutex);
  error_text = text;
}

}  // namespace fake_cuda

extern "C" {

CUresult cuLinkCreate(unsigned count, CUjit_option* options, void** values, CUlinkState* handle) {
  return call("cuLinkCreate", [&](State&) {
    if (fake_cuda::current_context() == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
    auto link = std::make_unique<Link>();
    for (unsigned i = 0; i < count; ++i) link->options[options[i]] = values[i];
    *handle = reinterpret_cast<CUlinkState>(link.get());
    links[*handle] = std::move(link);
    return CUDA_SUCCESS;
  });
}

CUresult cuLinkAddData(CUlinkState handle, CUjitInputType type, void* data, std::size_t size, const char* name,
                       unsigned, CUjit_option*, void**) {
  return call("cuLinkAddData",
              [&](State&) { return add(handle, type, std::string(static_cast<const char*>(data), size), name); });
}

CUresult cuLinkAddFile(CUlinkState handle, CUjitInputType type, const char* path, unsigned, CUjit_option*, void**) {
  return call("cuLinkAddFile", [&](State&) { return add(handle, type, {}, path); });
}

CUresult cuLinkComplete(CUlinkState handle, void** code, std::size_t* size) {
  return call("cuLinkComplete", [&](State&) {
    Link* const link = fake_cuda::find(links, handle);
    if (link == nullptr) return CUDA_ERROR_INVALID_HANDLE;
    if (!error_text.empty()) return refuse(*link, CUDA_ERROR_INVALID_PTX);
    std::string options;
    for (const auto& [option, value] : link->options)
      if (option != CU_JIT_INFO_LOG_BUFFER && option != CU_JIT_ERROR_LOG_BUFFER)
        options += std::to_string(option) + '=' + std::to_string(reinterpret_cast<std::size_t>(value)) + '\n';
    link->log(CU_JIT_INFO_LOG_BUFFER, CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES, link->inputs + options);
    *code = link->code.data();
    *size = link->code.size();
    return CUDA_SUCCESS;
  });
}

CUresult cuLinkDestroy(CUlinkState handle) {
  return call("cuLinkDestroy",
              [&](State&) { return links.erase(handle) == 1 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE; });
}

}  // extern "C"
