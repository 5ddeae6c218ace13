// Template instances that are asked for after a module was made.
#pragma once

#include "module/kernel_set.hpp"

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace kiln {

/// Each instance is compiled when first asked for, into an image of its own. Thread-safe; threads that ask for
/// different instances do not wait for each other.
class Instances {
 public:
  /// The kernel of a name expression. `main` is the module's own code: an instance that it holds under another spelling
  /// comes from there. Throws CompileError where it does not compile.
  std::shared_ptr<Kernel> kernel(const std::string& expression, KernelSet& main, std::optional<int> device);

  /// The images made so far.
  std::vector<std::shared_ptr<KernelSet>> images() const;

 private:
  struct Instance {
    std::mutex mutex;
    std::shared_ptr<Kernel> kernel;
    std::shared_ptr<KernelSet> image;  // null where the module's own code holds the instance
  };

  mutable std::mutex mutex_;
  std::map<std::string, std::shared_ptr<Instance>> by_expression_;  // canonical spacing
};

}  // namespace kiln
