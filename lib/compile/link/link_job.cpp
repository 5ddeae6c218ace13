// Linker, and its inputs, checked as they come.
#include "base/argument_error.hpp"
#include "base/files.hpp"
#include "compile/link/link.hpp"
#include "compile/options/link_options.hpp"
#include "compile/options/target_name.hpp"
#include "toolkit/locate/component_finder.hpp"

#include <kiln/error.hpp>
#include <kiln/linker.hpp>

#include <algorithm>

namespace kiln {

namespace {

std::string name_or_number(std::string name, const LinkInputs& inputs) {
  return name.empty() ? "input " + std::to_string(inputs.size() + 1) : std::move(name);
}

std::string name_of(const CodeObject& code) { return code.data()->recipe ? code.data()->recipe->options.name : ""; }

/// The bytes of machine code show whether it can be linked.
InputType type_of(const CodeObject& code, const std::string& name) {
  const TargetFacts& target = facts_of(code.target());
  if (target.input == InputType::detect)
    throw_argument_error(
        "linking: " + name + " is " + std::string(target.kind) + ", which no linker takes: compile it to PTX or LTO-IR",
        "cubin, ptx, fatbin or ltoir", std::string(target.name));
  if (target.input == InputType::cubin) return detect_input(code.bytes(), InputType::cubin, name);
  if (target.input == InputType::fatbin) require_relocatable_images(code.bytes(), name);
  return target.input;
}

LinkInput input_of(std::string bytes, InputType type, const std::string& name) {
  LinkInput input{type, name};
  if (input.type == InputType::fatbin) require_relocatable_images(bytes, name);
  // A text that comes with the zero byte behind it is the same text.
  while (input.type == InputType::ptx && bytes.back() == '\0') bytes.pop_back();
  input.data = std::move(bytes);
  return input;
}

/// Linkers take objects. Of a program or shared library they get what it was linked from.
void add_input(LinkInputs& inputs, std::string bytes, InputType given, const std::string& name) {
  const InputType type = detect_input(bytes, given, name);
  const auto parts = type == InputType::object ? linked_parts(bytes, name) : std::vector<std::string_view>();
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::string number = parts.size() == 1 ? "" : ", part " + std::to_string(i + 1);
    inputs.push_back(std::make_shared<LinkInput>(input_of(std::string(parts[i]), InputType::fatbin, name + number)));
  }
  if (parts.empty()) inputs.push_back(std::make_shared<LinkInput>(input_of(std::move(bytes), type, name)));
}

}  // namespace

void LinkJob::add(const CodeObject& code, std::string name) {
  name = name_or_number(name.empty() ? name_of(code) : std::move(name), inputs);
  LinkInput input{type_of(code, name), name};
  input.code = code.data();
  inputs.push_back(std::make_shared<LinkInput>(std::move(input)));
}

void LinkJob::add_kept(KeptCode code, Target target, const std::string& name) {
  LinkInput input{facts_of(target).input, name};
  input.kept = std::make_shared<const KeptCode>(std::move(code));
  inputs.push_back(std::make_shared<LinkInput>(std::move(input)));
}

bool LinkJob::has_kept() const {
  return std::any_of(inputs.begin(), inputs.end(), [](const auto& input) { return input->kept != nullptr; });
}

LinkJob LinkJob::with_code() const {
  LinkJob result{options, {}};
  for (const auto& input : inputs)
    if (input->kept)
      result.add(input->kept->read(), input->name);
    else
      result.inputs.push_back(input);
  return result;
}

void LinkJob::add_data(std::string_view bytes, InputType type, std::string name) {
  name = name_or_number(std::move(name), inputs);
  add_input(inputs, std::string(bytes), type, name);
}

void LinkJob::add_file(const std::filesystem::path& path, InputType type) {
  add_input(inputs, read_named_file(path.string()), type, path.string());
}

void LinkJob::add_stdlib(const std::string& name) {
  if (name.empty() || name.find('/') != std::string::npos)
    throw_argument_error("linking: a library of the toolkit is named without folder, \"lib\" and \".a\"", "cudadevrt",
                         name);
  LinkInput input{InputType::library, name};
  input.path = require_device_library(name);
  inputs.push_back(std::make_shared<LinkInput>(std::move(input)));
}

struct Linker::Impl {
  LinkJob job;
};

namespace {

template <class Impl>
auto& job_of(const std::unique_ptr<Impl>& impl) {
  if (impl == nullptr) refuse("Linker", "a linker", "one that was moved from");
  return impl->job;
}

}  // namespace

Linker::Linker(LinkOptions options) {
  require_sensible(options);
  impl_ = std::make_unique<Impl>(Impl{LinkJob{std::move(options), {}}});
}
Linker::Linker(Linker&&) noexcept = default;
Linker& Linker::operator=(Linker&&) noexcept = default;
Linker::~Linker() = default;

Linker& Linker::add(const CodeObject& code, std::string name) {
  job_of(impl_).add(code, std::move(name));
  return *this;
}

Linker& Linker::add_data(std::string_view bytes, InputType type, std::string name) {
  job_of(impl_).add_data(bytes, type, std::move(name));
  return *this;
}

Linker& Linker::add_file(const std::filesystem::path& path, InputType type) {
  job_of(impl_).add_file(path, type);
  return *this;
}

Linker& Linker::add_stdlib(const std::string& name) {
  job_of(impl_).add_stdlib(name);
  return *this;
}

CodeObject Linker::link() const { return link_for(job_of(impl_)); }

}  // namespace kiln
