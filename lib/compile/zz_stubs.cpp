#include <kiln/error.hpp>
#include "compile/nvcc_compile.hpp"
#include "compile/option_translation.hpp"
#include "compile/remedy.hpp"
#include "compile/stand_in_headers.hpp"
#include "compile/worker_compile.hpp"
#include "toolkit/nvcc.hpp"
namespace kiln {
std::vector<std::string> options_for_nvrtc(const std::vector<std::string>& o) { return o; }
std::vector<std::string> options_for_nvcc(const std::vector<std::string>& o) { return o; }
std::optional<std::string> option_for_nvcc_only(const std::vector<std::string>&) { return {}; }
static std::map<std::string, std::string> m;
return m;
}
static std::string s;
return s;
}
std::optional<std::string> look_for_nvcc(const std::string&) { return {}; }
std::string require_nvcc(const std::string&) { throw_no_nvcc(); }
void throw_no_nvcc(const std::string& w) { throw ToolkitError("no nvcc" + w, {}); }
std::vector<std::string> nvcc_parts(const std::string&, const std::vector<std::string>&) { return {}; }
std::vector<std::string> nvcc_include_dirs(const std::string&) { return {}; }
std::vector<std::string> nvcc_environment_options_before() { return {}; }
std::vector<std::string> nvcc_environment_options_after() { return {}; }
CompilerOutput compile_with_nvcc(const std::string&, const CompilerJob&, ProcessRunner&) { throw Error(""); }
}  // namespace kiln
