// The report as a person reads it: figures in columns, names behind them, because no column is wide enough for those.
#include "base/printable_text.hpp"
#include "code_report.hpp"
#include "table.hpp"

namespace kiln::tool {

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
