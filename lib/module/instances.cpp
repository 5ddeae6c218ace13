#include "module/instances.hpp"

#include "base/type_name.hpp"
#include "compile/compiler.hpp"
#include "module/instance_errors.hpp"
#include "module/name_lookup.hpp"
#include "toolkit/names/kernel_name.hpp"
#include "toolkit/names/similar_kernel.hpp"

#include <kiln/error.hpp>

namespace kiln {

namespace {

std::string joined(const std::vector<std::string>& types) {
  std::string text;
  for (const std::string& type : types) text += (text.empty() ? "" : ",") + type;
  return text;
}

std::vector<std::string> types_of(const detail::Signature& signature) {
  std::vector<std::string> types;
  for (std::size_t i = 0; i < signature.count; ++i) types.push_back(type_name(*signature.arguments[i].type));
  return types;
}

CompileOptions with_instance(const Recipe& recipe, const std::string& expression) {
  return recipe.options.with_name_expressions({expression});
}

std::optional<InstanceCode> find_in_cache(const Recipe& recipe, const std::string& expression,
                                          std::optional<int> device) {
  const CompileContext context = device ? context_for_device(device_arch(*device)) : CompileContext();
  auto code = find_code_for(recipe.source, with_instance(recipe, expression), context);
  if (!code) return std::nullopt;
  std::string symbol = code->lowered_name(expression);
  return InstanceCode{*std::move(code), std::move(symbol)};
}

InstanceCode compile(const Recipe& recipe, const std::string& expression, std::optional<int> device) {
  CodeObject code = compile_for_device(recipe.source, with_instance(recipe, expression), device);
  std::string symbol = code.lowered_name(expression);
  return {std::move(code), std::move(symbol)};
}

/// Both compilers have the front end that says this.
bool is_overloaded(const CompileError& error) {
  return error.log().find("cannot determine which instance of overloaded function") != std::string::npos;
}

/// The compiler's message about an unknown name, or about its namespaces; this second message also appears where an
/// argument has such a name.
bool lacks_template(const CompileError& error, const std::string& expression, std::string_view source) {
  const std::string quoted = '"' + std::string(last_component(expression)) + '"';
  const auto says = [&error](const std::string& words) { return error.log().find(words) != std::string::npos; };
  if (says("identifier " + quoted + " is undefined") || says("has no member " + quoted)) return true;
  return says("name followed by \"::\" must be") && !similar_kernel(expression, source).empty();
}

}  // namespace

InstanceName instance_name(std::string_view name, const detail::Signature* signature) {
  const ReadableName parts = parse_demangled(without_unnamed(name));
  InstanceName result{canonical_spacing(parts.qualified_name), {}};
  if (!parts.has_parameters && signature == nullptr) return result;
  const std::vector<std::string> types = parts.has_parameters ? parts.parameters : types_of(*signature);
  result.overload = canonical_spacing("(void(*)(" + joined(types) + "))" + result.expression);
  return result;
}

InstanceCode compile_instance(const Recipe& recipe, const InstanceName& name, std::optional<int> device) {
  if (!name.overload.empty()) {
    // Of overloaded templates the cache holds the cast only: without this look, each start would fail to compile first.
    if (auto found = find_in_cache(recipe, name.expression, device)) return *std::move(found);
    if (auto found = find_in_cache(recipe, name.overload, device)) return *std::move(found);
  }
  try {
    return compile(recipe, name.expression, device);
  } catch (const CompileError& error) {
    if (lacks_template(error, name.expression, recipe.source)) throw unknown_template(name.expression, recipe.source);
    if (!is_overloaded(error)) throw;
    if (name.overload.empty()) throw ambiguous_template(name.expression);
  }
  try {
    return compile(recipe, name.overload, device);
  } catch (const CompileError& error) {
    if (is_overloaded(error)) throw no_such_overload(name.overload);
    throw;
  }
}

std::shared_ptr<Instances::Instance> Instances::instance(const std::string& expression) {
  const std::lock_guard lock(mutex_);
  std::shared_ptr<Instance>& entry = by_expression_[expression];
  if (!entry) entry = std::make_shared<Instance>();
  return entry;
}

std::shared_ptr<Kernel> Instances::kernel(const InstanceName& name, ModuleImages& images, std::optional<int> device) {
  const auto entry = instance(name.overload.empty() ? name.expression : name.overload);
  const std::lock_guard lock(entry->mutex);
  if (entry->kernel) return entry->kernel;

  InstanceCode made = compile_instance(*images.main().code().data()->recipe, name, device);
  entry->kernel = images.give_kernel(made.symbol);
  if (!entry->kernel) entry->kernel = images.give_kernel(std::move(made.code), device, made.symbol);
  if (!entry->kernel)
    throw ArgumentError(
        "\"" + name.expression + "\" is no kernel: its symbol " + made.symbol + " is not a __global__ function",
        name.expression, ArgumentError::no_index, "a __global__ function template with arguments", name.expression);
  return entry->kernel;
}

}  // namespace kiln
