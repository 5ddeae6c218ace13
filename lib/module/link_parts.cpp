#include "module/link_parts.hpp"

#include "base/argument_error.hpp"
#include "compile/arch.hpp"
#include "compile/compiler.hpp"

#include <algorithm>
#include <optional>

namespace kiln {

namespace {

bool says_relocatable(const std::string& option) {
  for (const std::string_view spelling : {"-rdc", "--relocatable-device-code", "-dc", "--device-c"})
    if (option.compare(0, spelling.size(), spelling) == 0) return true;
  return false;
}

/// The options of a source that is to be linked.
CompileOptions relocatable(CompileOptions options) {
  if (options.language == Language::nvvm_ir) {
    // No option of that compiler makes machine code that can be linked; what it makes for the linker is LTO-IR.
    if (options.target == Target::cubin) options.target = Target::ltoir;
    return options;
  }
  if (std::none_of(options.options.begin(), options.options.end(), says_relocatable))
    options.options.insert(options.options.begin(), "-rdc=true");
  return options;
}

}  // namespace

void LinkParts::add_source(std::string_view source, const CompileOptions& options, const std::string& name,
                           const std::string& device_arch) {
  const std::string arch = arch_for(device_arch);
  CompileOptions own = relocatable(options);
  if (!name.empty()) own.name = name;
  const std::string title = own.name.empty() ? "source " + std::to_string(sources_.size() + 1) : own.name;
  job_.add(compile_for(source, own, {arch}), title);
  const std::size_t input = job_.inputs.size() - 1;
  sources_.push_back(std::make_shared<const Source>(Source{input, std::string(source), std::move(own), arch}));
  if (!source_arch_.empty() || is_for_device(options) || options.target != Target::cubin) return;
  if (const Arch given = parse_arch(options.arch); given.real) source_arch_ = given.text();
}

std::string LinkParts::arch_for(const std::string& device_arch) const {
  if (!job_.options.arch.empty()) return job_.options.arch;
  return source_arch_.empty() ? device_arch : source_arch_;
}

CodeObject LinkParts::link(const std::string& device_arch) const {
  if (job_.inputs.empty())
    throw_argument_error(
        "there is nothing to link: call add_source, add_data, add_file or add_stdlib first, or give the module a text",
        "one input or more", "none");
  const std::string arch = arch_for(device_arch);
  const std::vector<std::string> arches = arch.empty() ? arches_of_environment() : std::vector<std::string>{arch};
  if (arches.empty()) return link_for_arch(arch);
  // As for a source, a login node warms the cache for every kind of node; the first kind's code is the answer.
  std::optional<CodeObject> first;
  for (const std::string& one : arches) {
    CodeObject code = link_for_arch(parse_arch(one).text());
    if (!first) first = std::move(code);
  }
  return *first;
}

CodeObject LinkParts::link_for_arch(const std::string& arch) const {
  LinkJob job = job_;
  for (const auto& source : sources_) {
    if (source->arch == arch || !is_for_device(source->options)) continue;
    std::shared_ptr<const LinkInput>& input = job.inputs[source->input];
    LinkJob compiled;
    compiled.add(compile_for(source->text, source->options, {arch}), input->name);
    input = compiled.inputs.front();
  }
  return link_for(job, arch);
}

}  // namespace kiln
