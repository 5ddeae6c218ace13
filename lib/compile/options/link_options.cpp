#include "compile/options/link_options.hpp"

#include "base/argument_error.hpp"
#include "base/path_text.hpp"
#include "compile/options/arch.hpp"
#include "compile/options/option_list.hpp"
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
  if (options.target == Target::fatbin || options.target == Target::optixir)
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

// All members by name: a new one does not build until it is decided here whether the driver (driver_link.cpp) has it.
std::vector<std::string> nvjitlink_only(const LinkOptions& options) {
  const auto& [words, arch, target, backend, name, cache, caching, lto, optimization, max_registers, debug, lineinfo,
               ftz, prec_div, prec_sqrt, fma, kernels_used, variables_used, optimize_unused_variables, split_compile,
               ptxas_options, verbose, message_handler] = options;
  (void)arch, (void)target, (void)backend, (void)lto;  // link_rule.cpp looks at them
  (void)name, (void)cache, (void)caching, (void)message_handler;
  (void)optimization, (void)max_registers, (void)debug, (void)lineinfo, (void)verbose;  // the driver has them
  std::vector<std::string> names;
  const auto add = [&names](bool is_set, const char* member) {
    if (is_set) names.emplace_back(member);
  };
  add(ftz.has_value(), "ftz");
  add(prec_div.has_value(), "prec_div");
  add(prec_sqrt.has_value(), "prec_sqrt");
  add(fma.has_value(), "fma");
  add(!kernels_used.empty(), "kernels_used");
  add(!variables_used.empty(), "variables_used");
  add(optimize_unused_variables, "optimize_unused_variables");
  add(split_compile.has_value(), "split_compile");
  add(!ptxas_options.empty(), "ptxas_options");
  add(!words.empty(), "options");
  return names;
}

// All members by name: a new one does not build until it is decided here whether a linker is to know it. These options
// are part of a link's key.
std::vector<std::string> nvjitlink_options(const LinkOptions& options, const std::string& arch, bool lto) {
  const auto& [words, arch_asked_for, target, backend, name, cache, caching, lto_asked_for, optimization, max_registers,
               debug, lineinfo, ftz, prec_div, prec_sqrt, fma, kernels_used, variables_used, optimize_unused_variables,
               split_compile, ptxas_options, verbose, message_handler] = options;
  (void)arch_asked_for, (void)lto_asked_for;  // settled: `arch`, `lto`
  (void)backend;                              // chosen: its identity is in the key
  (void)message_handler, (void)name;
  (void)cache, (void)caching;  // where code is kept
  std::vector<std::string> list = {"-arch=" + arch};
  if (lto) list.emplace_back("-lto");
  if (target == Target::ptx) list.emplace_back("-ptx");
  // The optimiser of link-time optimisation has two levels; the assembler has all.
  if (optimization) list.push_back((*optimization % 3 == 0 ? "-O" : "-Xptxas=-O") + std::to_string(*optimization));
  if (max_registers) list.push_back("-maxrregcount=" + std::to_string(*max_registers));
  if (debug) list.emplace_back("-g");
  if (lineinfo && !debug) list.emplace_back("-lineinfo");
  add_flag(list, "-ftz", ftz);
  add_flag(list, "-prec-div", prec_div);
  add_flag(list, "-prec-sqrt", prec_sqrt);
  add_flag(list, "-fma", fma);
  add_each(list, "-kernels-used", kernels_used);
  add_each(list, "-variables-used", variables_used);
  if (optimize_unused_variables) list.emplace_back("-optimize-unused-variables");
  if (split_compile) list.push_back("-split-compile=" + std::to_string(*split_compile));
  add_each(list, "-Xptxas", ptxas_options);
  if (verbose) list.emplace_back("-verbose");
  list.insert(list.end(), words.begin(), words.end());
  return list;
}

}  // namespace kiln
