// The report as a person reads it: figures in columns, names behind them, because no column is wide enough for those.
#include "base/printable_text.hpp"
#include "code_report.hpp"

#include <algorithm>

namespace kiln::tool {

namespace {

using Row = std::vector<std::string>;

std::string figure(int value) { return value < 0 ? "-" : std::to_string(value); }

/// Columns to the right, the last one as it is.
std::string table(const std::vector<Row>& rows, const std::string& margin) {
  std::vector<std::size_t> widths;
  for (const Row& row : rows) {
    widths.resize(std::max(widths.size(), row.size() - 1));
    for (std::size_t i = 0; i + 1 < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::string text;
  for (const Row& row : rows) {
    text += margin;
    for (std::size_t i = 0; i + 1 < row.size(); ++i)
      text += std::string(widths[i] - row[i].size(), ' ') + row[i] + "  ";
    text += row.back() + "\n";
  }
  return text;
}

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
