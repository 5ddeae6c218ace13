#include "table.hpp"

#include <algorithm>
#include <cstdlib>

namespace kiln::tool {

std::string cell(std::string_view text, int width) {
  const auto wanted = static_cast<std::size_t>(std::abs(width));
  const std::string blanks(wanted - std::min(wanted, text.size()), ' ');
  return width > 0 ? blanks + std::string(text) : std::string(text) + blanks;
}

std::string table_row(const Row& row, const std::vector<int>& widths, std::string_view gap) {
  std::string text;
  for (std::size_t i = 0; i + 1 < row.size(); ++i)
    text.append(i < widths.size() ? cell(row[i], widths[i]) : row[i]).append(gap);
  return text + row.back() + "\n";
}

std::string table(const std::vector<Row>& rows, std::string_view margin) {
  std::vector<int> widths;
  for (const Row& row : rows) {
    widths.resize(std::max(widths.size(), row.size() - 1));
    for (std::size_t i = 0; i + 1 < row.size(); ++i) widths[i] = std::max(widths[i], static_cast<int>(row[i].size()));
  }
  std::string text;
  for (const Row& row : rows) text.append(margin).append(table_row(row, widths));
  return text;
}

}  // namespace kiln::tool
