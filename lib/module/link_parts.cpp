#include "module/link_parts.hpp"

#include "base/argument_error.hpp"
#include "base/files.hpp"
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

/// One source, and its code for the architecture that it was first compiled for.
class SourcePart {
 public:
  SourcePart(std::string_view source, CompileOptions options, std::string name, const std::string& arch)
      : source_(source),
        options_(relocatable(std::move(options))),
        name_(std::move(name)),
        arch_(arch),
        code_(compile(arch)) {}

  void operator()(Linker& linker, const std::string& arch) const {
    linker.add(arch == arch_ || !is_for_device(options_) ? code_ : compile(arch), name_);
  }

 private:
  // PTX is not asked for where the driver takes nothing else: it gets what the linker makes.
  CodeObject compile(const std::string& arch) const { return compile_for(source_, options_, {arch}); }

  std::string source_;
  CompileOptions options_;
  std::string name_;  // in the linker's errors
  std::string arch_;
  CodeObject code_;
};

}  // namespace

void LinkParts::add_source(std::string_view source, const CompileOptions& options, const std::string& name,
                           const std::string& device_arch) {
  CompileOptions named = options;
  if (!name.empty()) named.name = name;
  const std::string title = named.name.empty() ? "source " + std::to_string(sources_ + 1) : named.name;
  const std::string arch = arch_for(device_arch);
  add(SourcePart(source, std::move(named), title, arch), arch);
  ++sources_;
  if (!source_arch_.empty() || is_for_device(options) || options.target != Target::cubin) return;
  if (const Arch given = parse_arch(options.arch); given.real) source_arch_ = given.text();
}

void LinkParts::add_data(std::string_view bytes, InputType type, std::string name) {
  add([data = std::string(bytes), type, name = std::move(name)](Linker& linker, const std::string&) {
    linker.add_data(data, type, name);
  });
}

void LinkParts::add_file(const std::filesystem::path& path, InputType type) {
  add_data(read_named_file(path.string()), type, path.string());
}

void LinkParts::add_stdlib(const std::string& name) {
  add([name](Linker& linker, const std::string&) { linker.add_stdlib(name); });
}

void LinkParts::add(Part part, const std::string& arch) {
  Linker trial(options_);
  part(trial, arch);
  parts_.push_back(std::make_shared<const Part>(std::move(part)));
}

std::string LinkParts::arch_for(const std::string& device_arch) const {
  if (!options_.arch.empty()) return options_.arch;
  return source_arch_.empty() ? device_arch : source_arch_;
}

CodeObject LinkParts::link(const std::string& device_arch) const {
  if (empty())
    throw_argument_error(
        "there is nothing to link: call add_source, add_data, add_file or add_stdlib first, or give "
        "the module a text",
        "one input or more", "none");
  const std::string arch = arch_for(device_arch);
  const std::vector<std::string> arches = arch.empty() ? arches_of_environment() : std::vector<std::string>{arch};
  if (arches.empty()) return link_for(arch);
  // As for a source, a login node warms the cache for every kind of node.
  std::optional<CodeObject> first;
  for (const std::string& one : arches) {
    CodeObject code = link_for(one);
    if (!first) first = std::move(code);
  }
  return *first;
}

CodeObject LinkParts::link_for(const std::string& arch) const {
  Linker linker(options_.with(&LinkOptions::arch, arch));
  for (const auto& part : parts_) (*part)(linker, arch);
  return linker.link();
}

}  // namespace kiln
