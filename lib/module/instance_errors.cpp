#include "module/instance_errors.hpp"

#include "module/name_lookup.hpp"
#include "toolkit/names/kernel_name.hpp"
#include "toolkit/names/similar_kernel.hpp"

#include <algorithm>

namespace kiln {

namespace {

ArgumentError name_error(const std::string& message, const std::string& expected, const std::string& given) {
  return {message, given, ArgumentError::no_index, expected, given};
}

/// What puts all instances into one image.
std::string way_out(const std::vector<std::string>& instances) {
  std::string list;
  for (const std::string& instance : instances) list += (list.empty() ? "\"" : ", \"") + instance + '"';
  const std::string example = instances.empty() ? "scale<float>" : instances.back();
  return "\nHave all instances in one image: list them when the module is made, CompileOptions::name_expressions = {" +
         list + "}, or instantiate them in the source, template __global__ void " + example + "(...);";
}

}  // namespace

ArgumentError unknown_template(const std::string& wanted, std::string_view source) {
  const std::string name = wanted.substr(0, wanted.find('<'));
  std::string message = "there is no template \"" + name + "\" in the source";
  const std::string similar = similar_kernel(wanted, source);
  if (!similar.empty()) message += "; did you mean \"" + similar + "\"?";
  return name_error(message, similar.empty() ? "the name of a kernel template" : similar, wanted);
}

ArgumentError ambiguous_template(const std::string& wanted) {
  return name_error("kernel name \"" + wanted +
                        "\" is ambiguous: the source has several templates of that name. Write the parameter list, as "
                        "in get_function(\"" +
                        wanted + "(float*, int)\"), or give the parameter types: get_function<void(float*, int)>(\"" +
                        wanted + "\")",
                    "one template", wanted);
}

ArgumentError no_such_overload(const std::string& overload) {
  constexpr std::string_view prefix = "(void(*)";
  const std::size_t end = overload.find("))", prefix.size());
  const std::string types = overload.substr(prefix.size(), end + 1 - prefix.size());
  const std::string name = overload.substr(std::min(end + 2, overload.size()));
  return name_error("the source has several templates for \"" + name + "\", and none takes " + types +
                        ": write the types as the template has them, with its arguments put in",
                    "the types of one of the templates", name + types);
}

ArgumentError instance_not_linked(const ArgumentError& unknown) {
  return {std::string(unknown.what()) +
              "\nLinked code gets no further template instances: list it in CompileOptions::name_expressions of the "
              "source that has the template, and link again",
          unknown.kernel(), ArgumentError::no_index, unknown.expected(), unknown.given()};
}

ArgumentError kernel_splits_variable(const std::string& kernel, const std::string& variable,
                                     std::vector<std::string> instances) {
  const std::string name = parse_demangled(kernel).qualified_name;
  if (names_instance(name) && std::find(instances.begin(), instances.end(), name) == instances.end())
    instances.push_back(name);
  return name_error("kernel \"" + name + "\" uses the variable \"" + variable +
                        "\", and so does what this module gave out before. They would not share it: a template "
                        "instance that is compiled when it is asked for has an image, and variables, of its own." +
                        way_out(instances),
                    "a kernel whose variables are in one image", name);
}

ArgumentError global_in_two_images(std::string_view wanted, const std::vector<std::string>& instances) {
  return name_error("variable \"" + std::string(wanted) +
                        "\" is in several images whose kernels use it: a template instance that is compiled when it is "
                        "asked for has an image, and variables, of its own." +
                        way_out(instances),
                    "a variable of one image", std::string(wanted));
}

}  // namespace kiln
