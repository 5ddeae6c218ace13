// The source text of a scan.
#pragma once

#include "generate/generated_module.hpp"

#include <kiln/scan_kernel.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace kiln {

struct ScanSource {
  std::string functions;  // the program's own texts
  std::string text;       // with the kernel
};

GeneratorTexts scan_texts(const ScanOptions& options);
/// Throws ArgumentError if the texts are invalid. `neutral` is null for an inclusive scan, `type` is the name of the
/// values' type in the source.
ScanSource read_scan(std::string_view expression, const std::string* neutral, const ScanOptions& options,
                     std::string type, std::size_t size);

}  // namespace kiln
