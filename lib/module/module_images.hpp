// ModuleImages: a module's images, and which of them a kernel or a variable is taken from.
#pragma once

#include "module/kernel_set.hpp"
#include "toolkit/image/variable_use.hpp"

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kiln {

/// The image of the module's own code, and one for each template instance that was compiled later. Each has variables
/// of its own, though a module has one of each for its user. So what is given out is remembered: a kernel or an address
/// is taken from an image only where it would not miss what others write, nor they what it writes. Two kinds of
/// variables may be in several images at once: those that no kernel given out writes and whose address was not given
/// out, and texture and surface references, which launches bind in every image. Thread-safe.
class ModuleImages {
 public:
  ModuleImages(CodeObject code, std::optional<int> device, Recompile recompile = {});

  /// Of the module's own code.
  KernelSet& main() noexcept { return *images_.front()->set; }
  std::vector<std::shared_ptr<KernelSet>> all() const;

  /// Null where no image has a kernel of that symbol. Throws ArgumentError where each that has it would split a
  /// variable.
  std::shared_ptr<Kernel> give_kernel(const std::string& symbol);
  /// The same once the code of an instance has become an image, which is dropped where it gives nothing.
  std::shared_ptr<Kernel> give_kernel(CodeObject code, std::optional<int> device, const std::string& symbol);
  /// A variable on the current device. Throws ArgumentError likewise, and where there is none of that name.
  GlobalVariable give_variable(std::string_view name);

 private:
  struct Image {
    std::shared_ptr<KernelSet> set;
    std::vector<std::string> kernels;    // symbols of those that were given out
    std::vector<std::string> variables;  // names of those whose address was given out
    bool was_read = false;
    std::unique_ptr<const VariableUse> use;  // null where the compiler does not say

    bool gave_nothing() const { return kernels.empty() && variables.empty(); }
  };
  struct Variable {
    std::string name;
    bool is_constant;
    bool may_write;  // the kernel that uses it
  };

  enum class Access { any, write };

  ArgumentError no_variable(std::string_view name);
  bool is_only_giver(const Image& image) const;
  const VariableUse* use_of(Image& image, const std::string& kernel);
  std::vector<Variable> variables_of(Image& image, const std::string& kernel);
  bool uses(Image& image, const std::string& variable, Access access);
  std::string variable_split_by(Image& image, const std::string& kernel);
  bool has_users_elsewhere(const Image& image, const std::string& variable, Access access);
  std::shared_ptr<Kernel> find_and_note(const std::string& symbol);
  std::vector<std::string> instances_given() const;

  mutable std::mutex mutex_;
  std::vector<std::unique_ptr<Image>> images_;  // the module's own first
};

}  // namespace kiln
