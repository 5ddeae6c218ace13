#include "capture/capture_json.hpp"

#include "base/digest.hpp"
#include "base/json_object.hpp"
#include "base/utc_time.hpp"
#include "compile/code/code_data.hpp"
#include "compile/compiler.hpp"
#include "compile/options/target_name.hpp"
#include "compile/record/record.hpp"
#include "toolkit/driver/driver.hpp"

#include <kiln/device.hpp>

namespace kiln {

namespace {

std::string sizes_json(std::initializer_list<unsigned long long> sizes) {
  std::vector<std::string> items;
  for (const unsigned long long size : sizes) items.push_back(std::to_string(size));
  return json_array(items);
}
std::string dim_json(const Dim3& dim) { return sizes_json({dim.x, dim.y, dim.z}); }

std::string tuned_problem_json(const ProblemSize& problem) {
  std::vector<std::string> items;
  for (std::size_t i = 0; i < problem.dimensions(); ++i) items.push_back(std::to_string(problem[i]));
  return json_array(items);
}

const char* kind_name(ParameterKind kind) {
  switch (kind) {
    case ParameterKind::other:
      break;
    case ParameterKind::pointer:
      return "pointer";
    case ParameterKind::integer:
      return "integer";
    case ParameterKind::floating:
      return "floating";
    case ParameterKind::integer_or_pointer:
      return "integer or pointer";
  }
  return "other";
}

std::string argument_json(const CapturedArgument& argument) {
  JsonObject object;
  object.add("type", argument.parameter.type).add("kind", kind_name(argument.parameter.kind));
  object.add_json("size", std::to_string(argument.parameter.size));
  if (argument.memory)
    object.add_json("memory", std::to_string(*argument.memory)).add_json("offset", std::to_string(argument.offset));
  else
    object.add("bytes", hex_text(argument.bytes));
  return object.text();
}

std::string memories_json(const CaptureParts& parts) {
  std::vector<std::string> items;
  for (std::size_t i = 0; i < parts.memories.size(); ++i) {
    const CapturedMemory& memory = parts.arguments.memories[i];
    JsonObject object;
    object.add("file", parts.memories[i].before).add("element", element_of(memory).name);
    object.add_json("bytes", std::to_string(memory.bytes)).add("read_only", memory.is_read_only);
    if (!parts.memories[i].after.empty()) object.add("after", parts.memories[i].after);
    items.push_back(object.text());
  }
  return json_array(items);
}

std::string variables_json(const CaptureParts& parts) {
  std::vector<std::string> items;
  for (std::size_t i = 0; i < parts.variables.size(); ++i)
    items.push_back(JsonObject()
                        .add("symbol", parts.variables[i].symbol)
                        .add("file", parts.variable_files[i])
                        .add_json("bytes", std::to_string(parts.variables[i].bytes))
                        .text());
  return json_array(items);
}

std::string attributes_json(const LaunchAttributes& attributes) {
  JsonObject object;
  if (attributes.cooperative) object.add("cooperative", true);
  if (attributes.cluster != Dim3{}) object.add_json("cluster", dim_json(attributes.cluster));
  if (attributes.shared_memory_carveout) object.add("shared_memory_carveout", *attributes.shared_memory_carveout);
  return object.text();
}

/// The source's text is in its own file.
std::string code_json(const CaptureParts& parts) {
  JsonObject object;
  object.add("file", parts.code_file);
  if (const auto& recipe = parts.kernel.code.data()->recipe)
    object.add_json("request", source_record({}, recipe->options, context_for_device({})));
  else
    object.add("target", target_name(parts.kernel.code.target()));
  return object.text();
}

}  // namespace

const ElementType& element_of(const CapturedMemory& memory) {
  return memory.element != nullptr ? *memory.element : *element_type("unsigned char");
}

std::string capture_json(const CaptureParts& parts) {
  const CapturedKernel& kernel = parts.kernel;
  const Device device = Device::current();
  int driver = 0;
  check_driver(Driver::get().driver_get_version(&driver), "cuDriverGetVersion");
  std::vector<std::string> arguments;
  for (const CapturedArgument& argument : parts.arguments.arguments) arguments.push_back(argument_json(argument));
  JsonObject object;
  object.add("kiln_capture", capture_version).add("kernel", kernel.display_name()).add("symbol", kernel.info.name);
  object.add("device", device.name()).add("arch", device.arch()).add("driver", driver).add("date", utc_now());
  object.add_json("grid", dim_json(parts.config.grid)).add_json("block", dim_json(parts.config.block));
  object.add_json("shared_bytes", std::to_string(parts.config.shared_size));
  object.add_json("attributes", attributes_json(parts.config.attributes));
  object.add_json("arguments", json_array(arguments)).add_json("memories", memories_json(parts));
  object.add_json("variables", variables_json(parts)).add_json("code", code_json(parts));
  if (kernel.tuning)
    object.add("key", kernel.tuning->key)
        .add_json("problem", tuned_problem_json(kernel.tuning->problem))
        .add_json("tuning", kernel.tuning->json);
  if (!parts.fault.empty()) object.add("fault", parts.fault);
  return object.text() + "\n";
}

}  // namespace kiln
