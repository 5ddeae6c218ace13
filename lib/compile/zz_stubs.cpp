#include "compile/nvcc_compile.hpp"
#include "compile/option_translation.hpp"
#include "toolkit/nvcc.hpp"
#include <kiln/error.hpp>
namespace kiln {
std::vector<std::string> options_for_nvrtc(const std::vector<std::string>& o) { return o; }
std::vector<std::string> options_for_nvcc(const std::vector<std::string>& o) { return o; }
std::optional<std::string> option_for_nvcc_only(const std::vector<std::string>&) { return {}; }
std::optional<std::string> look_for_nvcc(const std::string&) { return {}; }
void throw_no_nvcc(const std::string& w) { throw ToolkitError("no nvcc" + w, {}); }
std::string require_nvcc(const std::string&) { throw_no_nvcc(); }
std::vector<std::string> nvcc_parts(const std::string&, const std::vector<std::string>&) { return {}; }
std::vector<std::string> nvcc_include_dirs(const std::string&) { return {}; }
std::vector<std::string> nvcc_environment_options_before() { return {}; }
std::vector<std::string> nvcc_environment_options_after() { return {}; }
CompilerOutput compile_with_nvcc(const std::string&, const CompilerJob&, ProcessRunner&) { throw Error(""); }
}
