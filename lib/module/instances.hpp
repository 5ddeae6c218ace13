// Template instances that are requested after a module was made, and their code.
#pragma once

#include "module/load.hpp"
#include "module/module_images.hpp"

#include <kiln/detail/argument.hpp>

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

namespace kiln {

/// Name expressions, in canonical spacing.
struct InstanceName {
  std::string expression;  // "scale<float>"
  /// The same with its parameter types, for one of several templates of that name: "(void(*)(float*,int))scale<float>".
  /// Empty where the types were not stated.
  std::string overload;
};

/// Of "scale<float>(float*, int)", or of "scale<float>" with a typed function's types; null for no types.
InstanceName instance_name(std::string_view name, const detail::Signature* signature);

struct InstanceCode {
  CodeObject code;
  std::string symbol;
};

/// Compiles the source again with the instance in it. Throws CompileError, and ArgumentError where the source has no
/// template of that name, or several and none was picked.
InstanceCode compile_instance(const Recipe& recipe, const InstanceName& name, std::optional<int> device);

/// Each instance is compiled when first requested. Thread-safe; threads that request different instances do not wait
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
