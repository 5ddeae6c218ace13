// LinkParts: what a DynamicModule links, in a form that can be linked again for another device.
#pragma once

#include <kiln/linker.hpp>

#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kiln {

/// An architecture as a parameter is a device's ("sm_90"), or empty without a device. Copies share the parts, which
/// never change.
class LinkParts {
 public:
  explicit LinkParts(LinkOptions options = {}) : options_(std::move(options)) {}

  /// Compiles it for the device, unless options or LinkOptions say for what. Throws as kiln::compile.
  void add_source(std::string_view source, const CompileOptions& options, const std::string& name,
                  const std::string& device_arch);
  /// As Linker's.
  void add_data(std::string_view bytes, InputType type, std::string name);
  void add_file(const std::filesystem::path& path, InputType type);
  void add_stdlib(const std::string& name);

  bool empty() const noexcept { return parts_.empty(); }
  /// For the device, unless an architecture was given. Compiles sources again where that is another than they were
  /// compiled for. Throws as Linker::link.
  CodeObject link(const std::string& device_arch) const;

 private:
  /// Adds itself to a linker of code for an architecture.
  using Part = std::function<void(Linker& linker, const std::string& arch)>;

  std::string arch_for(const std::string& device_arch) const;
  CodeObject link_for(const std::string& arch) const;
  void add(Part part, const std::string& arch = {});

  LinkOptions options_;
  std::string source_arch_;  // that a source's options name, which must be the link's too
  std::size_t sources_ = 0;
  std::vector<std::shared_ptr<const Part>> parts_;
};

}  // namespace kiln
