#include "code_report.hpp"

#include "base/printable_text.hpp"
#include "table.hpp"
#include "toolkit/image/elf_view.hpp"
#include "toolkit/image/fatbin_view.hpp"

#include <kiln/error.hpp>

#include <elf.h>

#include <algorithm>
#include <iterator>

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

}  // namespace kiln::tool
