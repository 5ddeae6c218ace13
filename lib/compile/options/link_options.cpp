#include "compile/options/link_options.hpp"

#include "base/argument_error.hpp"
#include "base/path_text.hpp"
#include "compile/options/arch.hpp"
#include "compile/options/option_list.hpp"
#include "compile/options/option_table.hpp"
#include "compile/options/target_name.hpp"

namespace kiln {

namespace {

[[noreturn]] void refuse_member(const std::string& member, const std::string& expected, const std::string& given,
                                const std::string& advice = {}) {
  refuse("LinkOptions::" + member, expected, given, advice);
}

void require_names(const std::vector<std::string>& names, const char* member) {
  for (const std::string& name : names)
    if (name.empty()) refuse_member(member, "names that are not empty", "\"\"");
}

/// The members that say what kind of link it is; behind Kiln's back it would make other code than is asked for.
const char* member_of(const std::string& option) {
  if (option.starts_with("-arch")) return "arch";
  if (option == "-lto") return "lto";
  if (option.starts_with("-kernels-used")) return "kernels_used";
  if (option.starts_with("-variables-used")) return "variables_used";
  if (option.starts_with("-optimize-unused-variables")) return "optimize_unused_variables";
  return option == "-ptx" ? "target" : nullptr;
}

void require_options(const std::vector<std::string>& options) {
  for (const std::string& option : options) {
    if (option.empty() || option.front() != '-')
      refuse_member("options", "options in nvJitLink's spelling, such as -jump-table-density=50", '"' + option + '"');
    if (const char* const member = member_of(option))
      refuse_member("options", std::string("no option that LinkOptions::") + member + " is for", '"' + option + '"');
  }
}

bool is_linker(Backend backend) {
  return backend == Backend::automatic || backend == Backend::nvjitlink || backend == Backend::driver;
}

/// "-name=1", where it is set.
void add_flag(std::vector<std::string>& list, const char* name, const std::optional<bool>& value) {
  if (value) list.push_back(std::string(name) + (*value ? "=1" : "=0"));
}

void add_each(std::vector<std::string>& list, const char* name, const std::vector<std::string>& values) {
  for (const std::string& value : values) list.push_back(std::string(name) + '=' + value);
}

}  // namespace

bool is_for_device(const LinkOptions& options) { return options.arch.empty() || is_native(options.arch); }

bool writes_files(const LinkOptions& options) {
  std::vector<std::string> for_ptxas;
  add_each(for_ptxas, "-Xptxas", options.ptxas_options);
  for (const std::string& option : options.options)
    if (option.starts_with("-Xptxas=")) for_ptxas.push_back(option);
  return !for_ptxas.empty() && !read_options(for_ptxas, working_folder()).side_effect.empty();
}

void require_sensible(const LinkOptions& options) {
  if (!is_for_device(options) && !asked_arch(options.arch).real && options.target == Target::cubin)
    refuse_member("arch", "a real architecture, such as sm_90, for target cubin", options.arch);
  if (!is_linker(options.backend))
    refuse_member("backend", "automatic, nvjitlink or driver", backend_name(options.backend));
  if (!facts_of(options.target).is_linkable)
    refuse_member("target", "cubin, ptx or ltoir", target_name(options.target));
  if (options.target != Target::cubin && options.lto == false)
    refuse_member("target", "cubin without link-time optimisation", target_name(options.target),
                  ": leave lto unset, or set it");
  if (options.optimization && (*options.optimization < 0 || *options.optimization > 3))
    refuse_member("optimization", "0 to 3", std::to_string(*options.optimization));
  if (options.max_registers && *options.max_registers <= 0)
    refuse_member("max_registers", "a positive number", std::to_string(*options.max_registers));
  if (options.split_compile && *options.split_compile < 0)
    refuse_member("split_compile", "a number of threads, or 0", std::to_string(*options.split_compile));
  require_names(options.kernels_used, "kernels_used");
  require_names(options.variables_used, "variables_used");
  require_names(options.ptxas_options, "ptxas_options");
  require_options(options.options);
}

std::vector<std::string> nvjitlink_only(const LinkOptions& options) {
  std::vector<std::string> names;
  for_each_option<of_nvjitlink>(link_option_rows, [&](const auto& row) {
    if (is_set(row.of(options))) names.emplace_back(row.name);
  });
  return names;
}

// These options are part of a link's key.
std::vector<std::string> nvjitlink_options(const LinkOptions& options, const std::string& arch, bool lto) {
  std::vector<std::string> list = {"-arch=" + arch};
  if (lto) list.emplace_back("-lto");
  if (options.target == Target::ptx) list.emplace_back("-ptx");
  // The optimiser of link-time optimisation has two levels; the assembler has all.
  if (options.optimization)
    list.push_back((*options.optimization % 3 == 0 ? "-O" : "-Xptxas=-O") + std::to_string(*options.optimization));
  if (options.max_registers) list.push_back("-maxrregcount=" + std::to_string(*options.max_registers));
  if (options.debug) list.emplace_back("-g");
  if (options.lineinfo && !options.debug) list.emplace_back("-lineinfo");
  add_flag(list, "-ftz", options.ftz);
  add_flag(list, "-prec-div", options.prec_div);
  add_flag(list, "-prec-sqrt", options.prec_sqrt);
  add_flag(list, "-fma", options.fma);
  add_each(list, "-kernels-used", options.kernels_used);
  add_each(list, "-variables-used", options.variables_used);
  if (options.optimize_unused_variables) list.emplace_back("-optimize-unused-variables");
  if (options.split_compile) list.push_back("-split-compile=" + std::to_string(*options.split_compile));
  add_each(list, "-Xptxas", options.ptxas_options);
  if (options.verbose) list.emplace_back("-verbose");
  list.insert(list.end(), options.options.begin(), options.options.end());
  return list;
}

}  // namespace kiln
