// Texts in columns: the commands' tables are written by these.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace kiln::tool {

/// Filled up by blanks: before the text where the width is positive, behind it where it is negative. A text that is
/// wider stays whole.
std::string cell(std::string_view text, int width);

/// Cells of a line, and a last text, which stands as it is.
using Row = std::vector<std::string>;

/// The line, with `gap` behind each cell. Cells without a width stand as they are, too.
std::string table_row(const Row& row, const std::vector<int>& widths, std::string_view gap = "  ");

/// Lines whose columns are as wide as their widest cell, to the right.
std::string table(const std::vector<Row>& rows, std::string_view margin);

}  // namespace kiln::tool
