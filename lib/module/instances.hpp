// Template instances that are asked for after a module was made.
#pragma once

#include "module/instance_code.hpp"
#include "module/module_images.hpp"

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

namespace kiln {

/// Each instance is compiled when first asked for. Thread-safe; threads that ask for different instances do not wait
/// for each other's compile.
class Instances {
 public:
  /// The kernel of an instance. One that an image holds under another spelling comes from there. Throws CompileError
  /// where it does not compile, ArgumentError where it is no kernel, or may not have variables of its own.
  std::shared_ptr<Kernel> kernel(const InstanceName& name, ModuleImages& images, std::optional<int> device);

 private:
  struct Instance {
    std::mutex mutex;
    std::shared_ptr<Kernel> kernel;
  };
  std::shared_ptr<Instance> instance(const std::string& expression);

  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<Instance>> by_expression_;
};

}  // namespace kiln
