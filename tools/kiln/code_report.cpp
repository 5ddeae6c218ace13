#include "code_report.hpp"

#include "base/json_object.hpp"
#include "base/printable_text.hpp"
#include "table.hpp"
#include "toolkit/image/elf_view.hpp"
#include "toolkit/image/fatbin_view.hpp"

#include <kiln/error.hpp>

#include <elf.h>

#include <algorithm>
#include <iterator>
#include <optional>

namespace kiln::tool {

namespace {

ImageInfo single_image(const char* kind, std::string_view bytes) {
  ImageInfo image;
  image.kind = kind;
  image.size = bytes.size();
  image.info = image.kind == "cubin" ? read_cubin(bytes) : read_ptx(bytes);
  image.arch = image.info.arch;
  if (image.kind == "ptx" && !image.info.kernels.empty()) image.arch = image.info.kernels.front().architectures.front();
  return image;
}

std::vector<ImageInfo> images_of_program(std::string_view bytes) {
  std::vector<ImageInfo> images;
  for (const std::string_view fatbin : embedded_fatbins(bytes)) {
    std::vector<ImageInfo> more = read_fatbin_images(fatbin);
    std::move(more.begin(), more.end(), std::back_inserter(images));
  }
  if (images.empty()) throw Error("this ELF file holds no CUDA code (it has no section .nv_fatbin)");
  return images;
}

void read_images(std::string_view bytes, CodeReport& report) {
  switch (code_kind(bytes)) {
    case CodeKind::cubin:
      report.kind = ElfView(bytes).machine() == EM_CUDA ? "cubin" : "elf";
      report.images = report.kind == "elf" ? images_of_program(bytes) : std::vector{single_image("cubin", bytes)};
      return;
    case CodeKind::fatbin:
      report.kind = "fatbin";
      report.images = read_fatbin_images(bytes);
      return;
    case CodeKind::ptx:
      report.kind = "ptx";
      report.images = {single_image("ptx", bytes)};
      return;
    case CodeKind::unknown:
      throw Error(
          "this is no code for a GPU: expected a cubin, PTX, a fatbin, a host program or library with one inside, "
          "or a CUDA C++ source whose name ends in .cu");
  }
}

}  // namespace

CodeReport read_code(std::string_view bytes, const std::string& what) {
  CodeReport report;
  report.file = what;
  report.bytes = bytes.size();
  try {
    read_images(bytes, report);
  } catch (const ToolkitError&) {
    throw;
  } catch (const Error& error) {
    throw Error(what + ": " + error.what());
  }
  report.info = merge_images(report.images);
  return report;
}

void keep_arch(CodeReport& report, const std::string& arch) {
  std::string known;
  for (const ImageInfo& image : report.images) known += (known.empty() ? "" : ", ") + image.arch;
  auto& images = report.images;
  std::erase_if(images, [&](const ImageInfo& image) { return image.arch != arch; });
  if (images.empty()) throw Error(report.file + ": there is no code for " + arch + ", only for " + known);
  report.info = merge_images(images);
}

namespace {

std::string figure(int value) { return value < 0 ? "-" : std::to_string(value); }

std::string image_text(const ImageInfo& image) {
  std::string text = "\n" + printable_line(image.arch) + " (" + printable_line(image.kind) + ", " +
                     std::to_string(image.size) + " bytes)\n";
  if (image.kind != "cubin" && image.kind != "ptx") return text + "  lists no kernels\n";
  if (image.info.kernels.empty()) return text + "  no kernels\n";
  std::vector<Row> rows = {{"registers", "shared", "local", "constant", "threads", "kernel"}};
  for (const KernelInfo& kernel : image.info.kernels)
    rows.push_back({figure(kernel.registers), figure(kernel.shared_bytes), figure(kernel.local_bytes),
                    figure(kernel.constant_bytes), figure(kernel.max_threads_per_block),
                    printable_line(kernel.readable_name)});
  return text + table(rows, "  ");
}

std::string parameters_text(const KernelInfo& kernel) {
  std::string text = "\n" + printable_line(kernel.readable_name) + "\n";
  if (kernel.name != kernel.readable_name) text += "  symbol " + printable_line(kernel.name) + "\n";
  if (kernel.parameters.empty()) return text + "  no parameters\n";
  std::vector<Row> rows = {{"offset", "size", "type"}};
  for (const Parameter& parameter : kernel.parameters)
    rows.push_back({std::to_string(parameter.offset), std::to_string(parameter.size),
                    parameter.type.empty() ? "-" : printable_line(parameter.type)});
  return text + table(rows, "  ");
}

}  // namespace

std::string report_text(const CodeReport& report) {
  std::string text =
      printable_line(report.file) + ": " + report.kind + ", " + std::to_string(report.bytes) + " bytes\n";
  for (const ImageInfo& image : report.images) text += image_text(image);
  for (const KernelInfo& kernel : report.info.kernels) text += parameters_text(kernel);
  if (!report.info.globals.empty()) text += "\nvariables\n";
  for (const std::string& name : report.info.globals) text += "  " + printable_line(name) + "\n";
  return text;
}

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
