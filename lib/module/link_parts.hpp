// LinkParts: what a DynamicModule links, in a form that can be linked again for another device.
#pragma once

#include "compile/link/link.hpp"

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kiln {

/// Whether these options of a CUDA source make code that must be linked before it is loaded: the last of -rdc and -dc.
bool makes_relocatable(const CompileOptions& options);

/// An architecture as a parameter is a device's ("sm_90"), or empty without a device. A plain value, copies of which
/// share the parts.
class LinkParts {
 public:
  /// Throws ArgumentError for options that make no sense.
  explicit LinkParts(LinkOptions options = {});

  /// Compiles it for the device where no cache has it, unless options or LinkOptions say for what. Throws as
  /// kiln::compile.
  void add_source(std::string_view source, const CompileOptions& options, const std::string& name,
                  const std::string& device_arch);
  /// What needs no compile.
  LinkJob& others() noexcept { return job_; }

  /// For the device, unless an architecture was given. Compiles sources again where that is another than they were
  /// compiled for. Throws as Linker::link.
  CodeObject link(const std::string& device_arch) const;

 private:
  struct Source {
    std::size_t input;  // its place among the job's
    std::string text;
    CompileOptions options;
    std::string arch;  // that it was compiled for
  };

  /// As an input of the job: what the cache has is not read, as a link that was made before does not need it.
  static void add_code(LinkJob& job, const std::shared_ptr<const Source>& source, const std::string& arch,
                       const std::string& name);
  std::string arch_for(const std::string& device_arch) const;
  CodeObject link_for_arch(const std::string& arch) const;

  LinkJob job_;
  std::string source_arch_;  // that a source's options name, which must be the link's too
  std::string native_;       // "native-a" or "native-f", where a source's options say so: the link is for that, too
  std::vector<std::shared_ptr<const Source>> sources_;
};

}  // namespace kiln
