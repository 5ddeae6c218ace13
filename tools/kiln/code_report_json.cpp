#include "code_report.hpp"

#include "base/json_object.hpp"

#include <optional>

namespace kiln::tool {

namespace {

std::optional<int> figure_or_null(int value) { return value < 0 ? std::nullopt : std::optional(value); }

const char* kind_name(ParameterKind kind) {
  switch (kind) {
    case ParameterKind::pointer:
      return "pointer";
    case ParameterKind::integer:
      return "integer";
    case ParameterKind::floating:
      return "floating";
    case ParameterKind::integer_or_pointer:
      return "integer or pointer";
    case ParameterKind::other:
      break;
  }
  return "other";
}

std::string parameter_json(const Parameter& parameter) {
  const bool typed = !parameter.type.empty();
  std::optional<std::string> type, kind;
  if (typed) type = parameter.type;
  if (typed || parameter.kind != ParameterKind::other) kind = kind_name(parameter.kind);
  return JsonReport()
      .add("offset", parameter.offset)
      .add("size", parameter.size)
      .add("type", type)
      .add("kind", kind)
      .text();
}

std::string kernel_json(const KernelInfo& kernel) {
  std::vector<std::string> parameters;
  for (const Parameter& parameter : kernel.parameters) parameters.push_back(parameter_json(parameter));
  return JsonReport()
      .add("name", kernel.name)
      .add("readable_name", kernel.readable_name)
      .add("architectures", kernel.architectures)
      .add("registers", figure_or_null(kernel.registers))
      .add("shared_bytes", figure_or_null(kernel.shared_bytes))
      .add("local_bytes", figure_or_null(kernel.local_bytes))
      .add("constant_bytes", figure_or_null(kernel.constant_bytes))
      .add("max_threads_per_block", figure_or_null(kernel.max_threads_per_block))
      .add_json("parameters", json_array(parameters))
      .text();
}

std::string kernels_json(const std::vector<KernelInfo>& kernels) {
  std::vector<std::string> list;
  for (const KernelInfo& kernel : kernels) list.push_back(kernel_json(kernel));
  return json_array(list);
}

std::string image_json(const ImageInfo& image) {
  const bool lists = image.kind == "cubin" || image.kind == "ptx";
  return JsonReport()
      .add("arch", image.arch)
      .add("kind", image.kind)
      .add("bytes", image.size)
      .add_json("kernels", lists ? kernels_json(image.info.kernels) : "null")
      .text();
}

}  // namespace

std::string report_json(const CodeReport& report) {
  std::vector<std::string> images;
  for (const ImageInfo& image : report.images) images.push_back(image_json(image));
  JsonReport object;
  object.add("file", report.file).add("kind", report.kind).add("bytes", report.bytes);
  object.add_json("images", json_array(images)).add_json("kernels", kernels_json(report.info.kernels));
  return json_indented(object.add("variables", report.info.globals).text()) + "\n";
}

}  // namespace kiln::tool
