#include <kiln/dynamic_module.hpp>
#include <kiln/source_module.hpp>

#include "base/argument_error.hpp"
#include "module/link_parts.hpp"
#include "module/module_impl.hpp"
#include "template/source_parts.hpp"

namespace kiln {

namespace {

/// What code is to be made for now; empty without a device.
std::string current_arch() {
  const std::optional<int> device = usable_device();
  return device ? device_arch(*device) : std::string();
}

template <class Parts>
Parts& parts_of(const std::unique_ptr<Parts>& parts) {
  if (parts == nullptr) refuse("DynamicModule", "a module", "one that was moved from");
  return *parts;
}

}  // namespace

struct DynamicModule::Parts {
  SourceParts text;
  LinkParts linked;
};

DynamicModule::DynamicModule(std::string_view template_text)
    : Module(nullptr), parts_(new Parts{SourceParts(std::string(template_text)), LinkParts()}) {}

DynamicModule::DynamicModule(LinkOptions options)
    : Module(nullptr), parts_(new Parts{SourceParts(), LinkParts(std::move(options))}) {}

DynamicModule::DynamicModule(const DynamicModule& other) : Module(other), parts_(new Parts(parts_of(other.parts_))) {}

DynamicModule& DynamicModule::operator=(const DynamicModule& other) {
  if (this != &other) *this = DynamicModule(other);
  return *this;
}

DynamicModule::DynamicModule(DynamicModule&&) noexcept = default;
DynamicModule& DynamicModule::operator=(DynamicModule&&) noexcept = default;
DynamicModule::~DynamicModule() = default;

DynamicModule& DynamicModule::add_to_preamble(std::string_view text) {
  parts_of(parts_).text.add_to_preamble(std::string(text));
  return *this;
}

DynamicModule& DynamicModule::add_function(DynamicFunction function) {
  parts_of(parts_).text.add_function(std::move(function));
  return *this;
}

DynamicModule& DynamicModule::substitute(const TemplateValues& values) {
  parts_of(parts_).text.substitute(values);
  return *this;
}

std::string DynamicModule::source() const { return parts_of(parts_).text.source(); }

Module DynamicModule::compile(const CompileOptions& options) {
  if (parts_of(parts_).text.empty())
    throw_argument_error("there is no text to compile: give the module a template or functions; link() is for sources",
                         "a text", "none");
  return static_cast<Module&>(*this) = SourceModule(source(), options);
}

DynamicModule& DynamicModule::add_source(std::string_view source, const CompileOptions& options,
                                         const std::string& name) {
  parts_of(parts_).linked.add_source(source, options, name, current_arch());
  return *this;
}

DynamicModule& DynamicModule::add_data(std::string_view bytes, InputType type, std::string name) {
  parts_of(parts_).linked.others().add_data(bytes, type, std::move(name));
  return *this;
}

DynamicModule& DynamicModule::add_file(const std::filesystem::path& path, InputType type) {
  parts_of(parts_).linked.others().add_file(path, type);
  return *this;
}

DynamicModule& DynamicModule::add_stdlib(const std::string& name) {
  parts_of(parts_).linked.others().add_stdlib(name);
  return *this;
}

DynamicModule& DynamicModule::link(const CompileOptions& options) {
  const std::optional<int> device = usable_device();
  const std::string arch = device ? device_arch(*device) : std::string();
  auto inputs = std::make_shared<LinkParts>(parts_of(parts_).linked);
  if (!parts_of(parts_).text.empty())
    inputs->add_source(source(), options, options.name.empty() ? parts_of(parts_).text.name() : options.name, arch);
  CodeObject code = inputs->link(arch);
  Recompile recompile = [inputs](const std::string& device_arch) { return inputs->link(device_arch); };
  become(std::make_shared<Impl>(std::move(code), device, std::move(recompile)));
  return *this;
}

}  // namespace kiln
