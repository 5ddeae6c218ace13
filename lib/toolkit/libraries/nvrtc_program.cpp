#include "toolkit/libraries/nvrtc_program.hpp"

#include "toolkit/libraries/call_text.hpp"
#include "toolkit/libraries/nvrtc_trace_file.hpp"
#include "toolkit/libraries/result_names.hpp"

#include <kiln/error.hpp>

namespace kiln {

NvrtcProgram::NvrtcProgram(const NvrtcLibrary& nvrtc, const std::string& source, const std::string& name,
                           const std::map<std::string, std::string>& headers)
    : nvrtc_(nvrtc) {
  std::vector<const char*> texts;
  std::vector<const char*> names;
  texts.reserve(headers.size());
  names.reserve(headers.size());
  for (const auto& header : headers) {
    names.push_back(header.first.c_str());
    texts.push_back(header.second.c_str());
  }
  const char* own_name = name.empty() ? nullptr : name.c_str();
  check(nvrtc_.create_program(&handle_, source.c_str(), own_name, static_cast<int>(names.size()), texts.data(),
                              names.data()),
        "nvrtcCreateProgram");
}

void NvrtcProgram::add_name_expression(const std::string& expression) const {
  check(nvrtc_.add_name_expression(handle_, expression.c_str()), "nvrtcAddNameExpression");
}

void NvrtcProgram::set_flow_callback(int (*callback)(void* payload, void*), void* payload) const {
  check(nvrtc_.set_flow_callback(handle_, callback, payload), "nvrtcSetFlowCallback");
}

nvrtcResult NvrtcProgram::compile(const std::vector<std::string>& options) const {
  require_writable_traces(options);
  const std::vector<const char*> pointers = option_pointers(options);
  return nvrtc_.compile_program(handle_, static_cast<int>(pointers.size()), pointers.data());
}

std::string NvrtcProgram::log() const {
  return as_log(output(nvrtc_.get_program_log_size, nvrtc_.get_program_log, "nvrtcGetProgramLog"));
}

std::string NvrtcProgram::lowered_name(const std::string& expression) const {
  const char* symbol = nullptr;
  check(nvrtc_.get_lowered_name(handle_, expression.c_str(), &symbol), "nvrtcGetLoweredName");
  return symbol;
}

std::string NvrtcProgram::ptx() const {
  return without_zeros(output(nvrtc_.get_ptx_size, nvrtc_.get_ptx, "nvrtcGetPTX"));
}
std::string NvrtcProgram::cubin() const { return output(nvrtc_.get_cubin_size, nvrtc_.get_cubin, "nvrtcGetCUBIN"); }
std::string NvrtcProgram::ltoir() const { return output(nvrtc_.get_ltoir_size, nvrtc_.get_ltoir, "nvrtcGetLTOIR"); }
std::string NvrtcProgram::optixir() const {
  return output(nvrtc_.get_optixir_size, nvrtc_.get_optixir, "nvrtcGetOptiXIR");
}
std::string NvrtcProgram::tileir() const { return output(nvrtc_.get_tileir_size, nvrtc_.get_tileir, "nvrtcGetTileIR"); }

nvrtcResult NvrtcProgram::pch_create_status() const { return nvrtc_.get_pch_create_status(handle_); }

std::size_t NvrtcProgram::pch_heap_size_required() const {
  std::size_t bytes = 0;
  check(nvrtc_.get_pch_heap_size_required(handle_, &bytes), "nvrtcGetPCHHeapSizeRequired");
  return bytes;
}

template <class Size, class Get>
std::string NvrtcProgram::output(const Size& size, const Get& get, const char* call) const {
  return sized_output(size, get, handle_, [&](nvrtcResult result) { check(result, call); });
}

void NvrtcProgram::check(nvrtcResult result, const char* call) const {
  if (result != NVRTC_SUCCESS) throw CompileError(call_text({call, nvrtc_.title(), nvrtc_result_name(result)}), {}, {});
}

}  // namespace kiln
