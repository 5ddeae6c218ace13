#include "module/link_parts.hpp"

#include "base/argument_error.hpp"
#include "compile/code/code_for_archs.hpp"
#include "compile/compiler.hpp"
#include "compile/headers/called_headers.hpp"
#include "compile/options/arch.hpp"
#include "compile/options/link_options.hpp"
#include "compile/options/target_name.hpp"

#include <algorithm>
#include <optional>

namespace kiln {

namespace {

bool says_relocatable(const std::string& option) {
  for (const std::string_view spelling : {"-rdc", "--relocatable-device-code", "-dc", "--device-c"})
    if (option.compare(0, spelling.size(), spelling) == 0) return true;
  return false;
}

constexpr std::string_view relocatable_option = "-rdc=true";

/// The options of a source that is to be linked.
CompileOptions relocatable(CompileOptions options) {
  if (options.language == Language::nvvm_ir) {
    // No option of that compiler makes machine code that can be linked; what it makes for the linker is LTO-IR.
    if (options.target == Target::cubin) options.target = Target::ltoir;
    return options;
  }
  if (std::none_of(options.options.begin(), options.options.end(), says_relocatable))
    options.options.emplace(options.options.begin(), relocatable_option);
  return options;
}

/// Whether its code is known for a linker's input without being read.
bool can_be_kept(const CompileOptions& options) {
  return !options.options.empty() && options.options.front() == relocatable_option &&
         facts_of(options.target).is_linkable;
}

}  // namespace

bool makes_relocatable(const CompileOptions& options) {
  bool relocatable = false;
  for (std::size_t i = 0; i < options.options.size(); ++i) {
    const std::string& option = options.options[i];
    if (!says_relocatable(option)) continue;
    const std::size_t equals = option.find('=');
    const std::string value = equals != std::string::npos      ? option.substr(equals + 1)
                              : i + 1 < options.options.size() ? options.options[i + 1]
                                                               : std::string();
    relocatable = value != "false";
  }
  return relocatable;
}

LinkParts::LinkParts(LinkOptions options) {
  require_sensible(options);
  job_.options = std::move(options);
}

void LinkParts::add_source(std::string_view source, const CompileOptions& options, const std::string& name,
                           const std::string& device_arch) {
  if (options.arch != "native" && is_native(options.arch)) native_ = options.arch;
  CompileOptions own = relocatable(CalledOptions(source, options).get());
  if (!name.empty()) own.name = name;
  auto added = std::make_shared<const Source>(
      Source{job_.inputs.size(), std::string(source), std::move(own), arch_for(device_arch)});
  const std::string& own_name = added->options.name;
  add_code(job_, added, added->arch, own_name.empty() ? "source " + std::to_string(sources_.size() + 1) : own_name);
  sources_.push_back(std::move(added));
  if (!source_arch_.empty() || is_for_device(options) || options.target != Target::cubin) return;
  if (const Arch given = parse_arch(options.arch); given.real) source_arch_ = given.text();
}

void LinkParts::add_code(LinkJob& job, const std::shared_ptr<const Source>& source, const std::string& arch,
                         const std::string& name) {
  const CompileOptions& options = source->options;
  const CompileContext context = context_for_device(arch);
  const auto compiled = [source, context] { return compile_for(source->text, source->options, context); };
  if (!can_be_kept(options)) return job.add(compiled(), name);
  const CodeOrKey found = compile_or_locate(source->text, options, context);
  if (found.code) return job.add(*found.code, name);
  const bool is_ptx = options.target == Target::cubin && !context.loads_cubin;
  job.add_kept({found.key.hex(), is_for_device(options) ? arch : options.arch, compiled},
               is_ptx ? Target::ptx : options.target, name);
}

std::string LinkParts::arch_for(const std::string& device_arch) const {
  const std::string& asked = job_.options.arch;
  if (!is_for_device(job_.options)) return asked;
  if (!asked.empty() && device_arch.empty()) refuse_native(asked);
  if (!asked.empty()) return native_arch(asked, device_arch);
  if (!source_arch_.empty()) return source_arch_;
  return native_.empty() || device_arch.empty() ? device_arch : native_arch(native_, device_arch);
}

CodeObject LinkParts::link(const std::string& device_arch) const {
  if (job_.inputs.empty())
    throw_argument_error(
        "there is nothing to link: call add_source, add_data, add_file or add_stdlib first, or give the module a text",
        "one input or more", "none");
  const std::string arch = arch_for(device_arch);
  const std::vector<std::string> archs = arch.empty() ? archs_of_environment() : std::vector<std::string>{arch};
  if (archs.empty()) return link_for_arch(arch);
  return code_for_archs(archs, [&](const std::string& one) { return link_for_arch(parse_arch(one).text()); });
}

CodeObject LinkParts::link_for_arch(const std::string& arch) const {
  LinkJob job = job_;
  for (const auto& source : sources_) {
    if (source->arch == arch || !is_for_device(source->options)) continue;
    std::shared_ptr<const LinkInput>& input = job.inputs[source->input];
    LinkJob compiled;
    add_code(compiled, source, arch, input->name);
    input = compiled.inputs.front();
  }
  return link_for(job, arch);
}

}  // namespace kiln
