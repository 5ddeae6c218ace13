#include "code_report.hpp"

#include <nlohmann/json.hpp>

namespace kiln::tool {

namespace {

using Json = nlohmann::ordered_json;

Json json_figure(int value) { return value < 0 ? Json() : Json(value); }

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

Json parameter_json(const Parameter& parameter) {
  const bool typed = !parameter.type.empty();
  return {{"offset", parameter.offset},
          {"size", parameter.size},
          {"type", typed ? Json(parameter.type) : Json()},
          {"kind", typed || parameter.kind != ParameterKind::other ? Json(kind_name(parameter.kind)) : Json()}};
}

Json kernel_json(const KernelInfo& kernel) {
  Json parameters = Json::array();
  for (const Parameter& parameter : kernel.parameters) parameters.push_back(parameter_json(parameter));
  return {{"name", kernel.name},
          {"readable_name", kernel.readable_name},
          {"architectures", kernel.architectures},
          {"registers", json_figure(kernel.registers)},
          {"shared_bytes", json_figure(kernel.shared_bytes)},
          {"local_bytes", json_figure(kernel.local_bytes)},
          {"constant_bytes", json_figure(kernel.constant_bytes)},
          {"max_threads_per_block", json_figure(kernel.max_threads_per_block)},
          {"parameters", parameters}};
}

Json kernels_json(const std::vector<KernelInfo>& kernels) {
  Json list = Json::array();
  for (const KernelInfo& kernel : kernels) list.push_back(kernel_json(kernel));
  return list;
}

}  // namespace

std::string report_json(const CodeReport& report) {
  Json images = Json::array();
  for (const ImageInfo& image : report.images) {
    const bool lists = image.kind == "cubin" || image.kind == "ptx";
    images.push_back({{"arch", image.arch},
                      {"kind", image.kind},
                      {"bytes", image.size},
                      {"kernels", lists ? kernels_json(image.info.kernels) : Json()}});
  }
  const Json object = {{"file", report.file},
                       {"kind", report.kind},
                       {"bytes", report.bytes},
                       {"images", images},
                       {"kernels", kernels_json(report.info.kernels)},
                       {"variables", report.info.globals}};
  return object.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace kiln::tool
