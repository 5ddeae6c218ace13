#include "compile/nvvm/nvvm_request.hpp"

#include "base/argument_error.hpp"
#include "base/text_parts.hpp"
#include "base/word_list.hpp"
#include "cache/key.hpp"
#include "compile/nvvm/nvvm_ir.hpp"
#include "compile/options/option_list.hpp"
#include "compile/options/option_table.hpp"
#include "compile/options/target_name.hpp"
#include "toolkit/locate/component_finder.hpp"

#include <kiln/error.hpp>

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

namespace kiln {

namespace {

struct NvvmOptions {
  /// As libnvvm takes them, each once, less the architecture and -gen-lto: equal for options that mean the same.
  std::vector<std::string> arguments;
  std::string arch;  // of -arch, as spelled; empty where there is none
};

constexpr std::string_view use_opt = "libnvvm's spelling is -opt=3, which is the default, or -opt=0";
constexpr std::string_view use_target =
    "there is no option for the output: CompileOptions::target says what is made (cubin, ptx or ltoir), and "
    "CodeObject::bytes() is it";
constexpr std::string_view by_linker =
    "it is about the way from PTX to machine code: compile to target ptx or ltoir, and give that to kiln::Linker, "
    "whose LinkOptions have max_registers and ptxas_options";
constexpr std::string_view no_preprocessor =
    "LLVM IR knows no macros, headers or language standards: take the option out";
constexpr std::string_view use_metadata =
    "libnvvm makes line information where the IR has debug metadata, and has no option for it: take the option out";
constexpr std::string_view use_g = "libnvvm's spelling is -g, together with -opt=0, and the IR needs debug metadata";

/// Options that are refused: all of one, or its beginning, as before an '=' or a value.
struct Refused {
  std::string_view names;
  std::string_view beginnings;
  std::string_view advice;
};

// -optimize and -o= are those of the cuda-python documentation's sample.
constexpr std::array refused_options{
    Refused{"", "-optimize --optimize -O", use_opt},
    Refused{"-gen-lto --gen-lto -dlto --dlink-time-opt -ltoir -ptx --ptx -cubin --cubin", "-o --output-file -target",
            use_target},
    Refused{"", "-maxrregcount --maxrregcount -Xptxas --ptxas-options", by_linker},
    Refused{"", "-D --define-macro -U -I --include-path -std --std", no_preprocessor},
    Refused{"-lineinfo --generate-line-info", "", use_metadata},
    Refused{"-G --device-debug", "", use_g},
};

void refuse_others(std::string_view option) {
  // libnvvm's own that begin like one of these.
  if (option == "-opt" || begins_with_any(option, "-opt= -Ofast-compile")) return;
  for (const Refused& one : refused_options)
    if (has_word(one.names, option) || begins_with_any(option, one.beginnings))
      throw_argument_error("the option " + std::string(option) + " is not for NVVM IR: " + std::string(one.advice),
                           std::string(one.advice), std::string(option));
}

std::string_view name_of(std::string_view option) { return option.substr(0, option.find('=')); }

/// An option with a value, which NVRTC and nvcc spell otherwise.
std::string translated(const std::string& option) {
  const std::size_t equals = option.find('=');
  if (equals == std::string::npos) return option;
  std::string_view name = name_of(option);
  if (name.starts_with("--")) name.remove_prefix(1);
  if (name == "-fmad") name = "-fma";
  if (name == "-jtd") name = "-jump-table-density";
  if (!has_word("-ftz -fma -prec-div -prec-sqrt -jump-table-density", name)) return option;
  std::string value = option.substr(equals + 1);
  if (value == "true") value = "1";
  if (value == "false") value = "0";
  return std::string(name) + "=" + value;
}

/// Instead of one of that name, if there is one.
void put(std::vector<std::string>& arguments, std::string option) {
  const auto same = [&](const std::string& one) { return name_of(one) == name_of(option); };
  std::erase_if(arguments, same);
  arguments.push_back(std::move(option));
}

/// "sm_90" of "-arch=sm_90" and its like; the words it takes up are counted.
std::optional<std::string> arch_at(const std::vector<std::string>& options, std::size_t& at) {
  for (const std::string_view name : {"-arch", "--gpu-architecture"}) {
    const std::string& option = options[at];
    if (!option.starts_with(name)) continue;
    if (option.size() > name.size() && option[name.size()] == '=') return option.substr(name.size() + 1);
    if (option == name && at + 1 < options.size()) return options[++at];
  }
  return std::nullopt;
}

[[noreturn]] void refuse_member(const std::string& member, const std::string& why) {
  throw_argument_error("CompileOptions::" + member + " says nothing about NVVM IR: " + why, "no " + member, member);
}

void require_libnvvm(Backend backend, Target target) {
  if (backend != Backend::automatic && backend != Backend::nvvm)
    refuse_member("backend",
                  "libnvvm alone compiles it, and backend is " + backend_name(backend) + "; leave it automatic");
  if (!facts_of(target).is_linkable)
    throw_argument_error("target " + target_name(target) +
                             ": libnvvm makes PTX and LTO-IR, and Kiln a cubin of these; choose cubin, ptx or ltoir",
                         "cubin, ptx or ltoir", target_name(target));
}

/// The user's options. What NVRTC and nvcc spell otherwise is translated where libnvvm has it (--ftz=true,
/// --use_fast_math); of an option given twice the last counts, which libnvvm refuses. Throws ArgumentError, with what
/// replaced it, for what libnvvm no longer has or never had. What Kiln does not know is handed on.
NvvmOptions read_nvvm_options(const std::vector<std::string>& options) {
  NvvmOptions result;
  for (std::size_t at = 0; at < options.size(); ++at) {
    if (auto arch = arch_at(options, at)) {
      result.arch = *std::move(arch);
      continue;
    }
    const std::string option(trimmed(options[at]));
    refuse_others(option);
    if (option == "-use_fast_math" || option == "--use_fast_math") {
      for (const char* one : {"-ftz=1", "-prec-div=0", "-prec-sqrt=0", "-fma=1"}) put(result.arguments, one);
    } else if (!option.empty()) {
      put(result.arguments, translated(option));
    }
  }
  std::sort(result.arguments.begin(), result.arguments.end());
  return result;
}

/// Throws ArgumentError, which names the member, for those of the options that say nothing about NVVM IR.
void require_sense_for_ir(const CompileOptions& options) {
  require_libnvvm(options.backend, options.target);
  if (options.keep_ptx && options.target != Target::cubin && options.target != Target::ptx)
    refuse_member("keep_ptx", "PTX lies on the way to a cubin, and target is " + target_name(options.target));
  for_each_option(compile_option_rows, [&](const auto& row) {
    if constexpr (requires { is_set(row.of(options)); })
      if (row.not_for_ir != nullptr && is_set(row.of(options))) refuse_member(row.name, row.not_for_ir);
  });
}

}  // namespace

Request make_ir_request(std::string_view ir, const CompileOptions& options, const CompileContext& context) {
  require_sense_for_ir(options);
  NvvmOptions read = read_nvvm_options(options.options);
  Request request;
  request.compiler.backend = Backend::nvvm;
  request.context = context;
  request.libdevice = libdevice_functions(ir);
  request.job.name = !options.name.empty() ? options.name : is_bitcode(ir) ? "kernel.bc" : "kernel.ll";
  request.job.target = options.target;
  set_job_options(request.job, options);
  request.job.arguments = std::move(read.arguments);
  OptionList list;
  list.arch = read.arch;
  resolve_arch(request, list, options);
  request.wants_cubin =
      options.target == Target::cubin && context.loads_cubin && (!request.explicit_arch || request.explicit_arch->real);
  return request;
}

std::string libdevice_for_job(const Request& request) {
  if (request.libdevice.empty()) return {};
  try {
    return require_libdevice();
  } catch (const ToolkitError& error) {
    std::string names;
    for (const std::string& name : request.libdevice) names += (names.empty() ? "" : ", ") + name;
    throw ToolkitError("\"" + request.job.name + "\" declares " + names + ", which libdevice has: " + error.what(),
                       error.searched());
  }
}

std::string ir_key(std::string_view ir, const Request& request) {
  KeyBuilder key(ir.size() + 512);
  // 3: entries have the options that libnvvm was given.
  key.add("key", "nvvm 3").add("compiler", request.compiler.identity);
  key.add("arch", request.explicit_arch ? request.explicit_arch->text() : std::string());
  key.add("device", request.explicit_arch ? std::string() : request.context.device_arch);
  key.add("target", target_name(request.job.target)).add("cubin", request.wants_cubin ? "1" : "0");
  add_job_options(key, request.job);
  key.add("options", request.job.arguments).add("source", ir);
  return std::move(key).take();
}

}  // namespace kiln
