#include "cubin_fixture.hpp"

#include <doctest/doctest.h>
#include <kiln/error.hpp>

#include <algorithm>
#include <stdexcept>

#include "toolkit/libraries/nvrtc_library.hpp"
#include "toolkit/locate/toolkit.hpp"

namespace kiln::test {
namespace {

std::string log_of(const NvrtcLibrary& nvrtc, nvrtcProgram program) {
  std::size_t size = 0;
  nvrtc.get_program_log_size(program, &size);
  std::string log(size, '\0');
  nvrtc.get_program_log(program, log.data());
  return log;
}

}  // namespace

std::optional<std::string> compile_fixture(const std::string& source, const std::string& arch, Form form) {
  if (!current_toolkit().nvrtc) {
    MESSAGE("no NVRTC on this machine");
    return std::nullopt;
  }
  const NvrtcLibrary& nvrtc = NvrtcLibrary::get();
  const std::vector<int> known = nvrtc.supported_archs();
  const int number = std::stoi(arch.substr(arch.find('_') + 1));
  if (std::find(known.begin(), known.end(), number) == known.end()) {
    MESSAGE("NVRTC does not know ", arch);
    return std::nullopt;
  }
  nvrtcProgram program = nullptr;
  nvrtc.create_program(&program, source.c_str(), "fixture.cu", 0, nullptr, nullptr);
  const std::string arch_option = "-arch=" + arch;
  std::vector<const char*> options = {arch_option.c_str(), "--modify-stack-limit=false"};
  if (nvrtc.version_number() >= std::pair(12, 9)) options.push_back("--no-cache");
  const nvrtcResult result = nvrtc.compile_program(program, static_cast<int>(options.size()), options.data());
  const std::string log = log_of(nvrtc, program);
  std::size_t size = 0;
  std::string code;
  if (result == NVRTC_SUCCESS) {
    (form == Form::cubin ? nvrtc.get_cubin_size : nvrtc.get_ptx_size)(program, &size);
    code.resize(size);
    (form == Form::cubin ? nvrtc.get_cubin : nvrtc.get_ptx)(program, code.data());
  }
  nvrtc.destroy_program(&program);
  if (result != NVRTC_SUCCESS) throw std::runtime_error(log);
  return code;
}

}  // namespace kiln::test
