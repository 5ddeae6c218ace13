#include "base/argument_error.hpp"
#include "base/text_parts.hpp"
#include "compile/compiler/inform.hpp"
#include "compile/options/option_list.hpp"
#include "compile/options/target_name.hpp"
#include "compile/request/request.hpp"

#include <kiln/error.hpp>

#include <algorithm>

namespace kiln {

namespace {

/// "90" and "sm_90" are the same.
bool are_same(const std::string& one, const std::string& other) {
  const auto is_word = [](const std::string& arch) {
    return is_native(arch) || is_word_for_all(arch) || arch.find(',') != std::string::npos;
  };
  if (one == other || is_word(one) || is_word(other)) return one == other;
  return parse_arch(one).text() == parse_arch(other).text();
}

/// The member's value, or the option's.
std::string one_of(const std::string& member, const std::string& option, const char* what) {
  if (member.empty() || option.empty() || are_same(member, option)) return member.empty() ? option : member;
  throw_argument_error(std::string("the option -") + what + "=" + option + " and " + what + " = \"" + member +
                           "\" differ: give one of them",
                       member, option);
}

std::string native(const Request& request, const std::string& word) {
  if (request.context.device_arch.empty()) refuse_native(word);
  std::string arch = native_arch(word, request.context.device_arch);
  if (word != "native" && parse_arch(arch).suffix.empty())
    inform(request.job.name, "arch \"" + word + "\" is plain " + arch + " here, which has no such features");
  return arch;
}

/// Whether one of "sm_80,sm_90,compute_90" is machine code; nvcc has lto_90 too, which is not. Throws ArgumentError for
/// what is no architecture.
bool holds_machine_code(const std::string& code) {
  bool found = false;
  for (std::size_t begin = 0; begin <= code.size();) {
    const std::size_t end = std::min(code.find(',', begin), code.size());
    const std::string one = code.substr(begin, end - begin);
    const bool is_lto = one.starts_with("lto_");
    found |= asked_arch(is_lto ? one.substr(4) : one).real && !is_lto;
    begin = end + 1;
  }
  return found;
}

/// "80,90" with sm_ before each number: nvcc takes no bare one.
std::string with_prefixes(const std::string& code) {
  std::string text;
  for (std::size_t at = 0; at < code.size(); ++at) {
    const bool begins = at == 0 || code[at - 1] == ',';
    if (begins && code[at] >= '0' && code[at] <= '9') text += "sm_";
    text += code[at];
  }
  return text;
}

/// Why no code for `part` can be made of arch's PTX; empty where it can.
std::string misfit_of(const Arch& arch, const Arch& part) {
  if (part.number < arch.number) return "newer";
  if (arch.suffix == "a" && (part.number != arch.number || part.suffix != "a")) return "for that architecture alone";
  if (arch.suffix == "f" && part.number / 10 != arch.number / 10) return "for its family alone";
  return {};
}

void require_made_of(const Arch& arch, const std::string& code) {
  for (std::string part : split(code, ',')) {
    if (part.starts_with("lto_")) part.erase(0, 4);
    const std::string misfit = misfit_of(arch, asked_arch(part));
    if (misfit.empty()) continue;
    std::string message = "code \"" + part;
    message.append("\" cannot be made of arch \"").append(arch.text()).append("\", which is ").append(misfit);
    throw_argument_error(message.append(": leave arch out, or give one that fits every code"), "an arch that fits",
                         code);
  }
}

/// `what` says in messages where it was given.
void require_sensible_code(const char* what, const std::string& code, Target target) {
  const auto given = [&] { return std::string(what) + " \"" + code + "\""; };
  if (!holds_machine_code(code) && target == Target::cubin)
    throw_argument_error(
        given() + " is no machine code, and target cubin is: ask for target ptx, or for code \"sm_...\"",
        "sm_ and a number", code);
  if (code.find(',') != std::string::npos && target != Target::fatbin)
    throw_argument_error(given() +
                             " is code for several architectures, which only a fatbin holds: ask for target fatbin "
                             "(CompileOptions::target), or name one",
                         "target fatbin, or one architecture", code);
}

/// One architecture's code, which arch alone says as well.
void fold_code(Request& request, const std::string& code) {
  if (request.explicit_arch && !is_one_arch(request.explicit_arch->text(), code))
    throw_argument_error("NVRTC makes code for its one architecture: with arch \"" + request.explicit_arch->text() +
                             "\" code \"" + code + "\" needs nvcc",
                         "backend nvcc, or no code", code);
  request.explicit_arch = asked_arch(code);
}

}  // namespace

void resolve_arch(Request& request, const OptionList& list, const CompileOptions& options) {
  request.listed_archs = list.listed_archs;
  std::string arch = one_of(options.arch, list.arch, "arch");
  if (is_native(arch)) arch = native(request, arch);
  const std::string code = with_prefixes(one_of(options.nvcc.code, list.code, "code"));
  if (!list.listed_archs.empty() && !(arch.empty() && code.empty()))
    throw_argument_error("-gencode says all about architectures: give no arch and no code beside it", "-gencode alone",
                         arch + code);
  if (!code.empty()) require_sensible_code("code", code, request.job.target);
  if (!list.listed_archs.empty() && !request.context.plain)
    require_sensible_code("-gencode for", list.listed_archs, request.job.target);
  if (is_word_for_all(arch)) {
    if (request.compiler.backend == Backend::nvrtc || request.job.target != Target::fatbin)
      throw_argument_error("arch \"" + arch + "\" is for nvcc and target fatbin alone", "one architecture", arch);
    request.job.arch = arch;
  } else if (!arch.empty()) {
    request.explicit_arch = asked_arch(arch);
    if (!code.empty()) require_made_of(*request.explicit_arch, code);
  }
  if (request.compiler.backend == Backend::nvrtc) {
    if (!code.empty()) fold_code(request, code);
  } else {
    request.job.code = code;
    // Without an arch each code is for its own.
    if (!code.empty() && !request.explicit_arch && code.find(',') == std::string::npos)
      request.explicit_arch = asked_arch(code);
  }
}

void choose_arch(Request& request, const std::vector<int>& supported, const std::string& compiler) {
  CompilerJob& job = request.job;
  if (request.context.plain && !request.explicit_arch) return;
  const bool is_listed = !request.listed_archs.empty() || (!job.code.empty() && !request.explicit_arch);
  if (is_listed || !job.arch.empty()) return;
  Arch arch;
  if (request.explicit_arch) {
    arch = *request.explicit_arch;
    if (!supported.empty()) require_supported(arch, supported, compiler);
  } else if (!request.context.device_arch.empty()) {
    arch = parse_arch(request.context.device_arch);
    if (!supported.empty()) arch = arch_for_device(arch, supported, compiler);
  } else {
    // An nvcc that lists none is too old or broken, which its compile reports better.
    if (supported.empty() && request.compiler.backend == Backend::nvcc) return;
    if (supported.empty()) throw CompileError(compiler + " names no architecture that it knows", {}, {});
    arch.number = supported.front();
  }
  // PTX and the intermediate forms are for a virtual architecture; the machine code of a real one would be made in
  // vain.
  const bool machine_code = facts_of(job.target).is_machine_code;
  if (!machine_code || !job.code.empty() || !request.context.loads_cubin) arch.real = false;
  job.arch = arch.text();
  if (job.target == Target::cubin && !arch.real && job.code.empty()) job.target = Target::ptx;
}

}  // namespace kiln
