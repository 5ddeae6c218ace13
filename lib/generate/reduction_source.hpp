// The source text of a ReductionKernel.
#pragma once

#include "generate/generated_module.hpp"
#include "generate/vector_arguments.hpp"

#include <kiln/reduction_kernel.hpp>

#include <cstddef>
#include <string>

namespace kiln {

struct ReductionSource {
  VectorArguments arguments;
  ReductionOptions options;
  std::string type;
  std::size_t size;  // of a value, bytes

  /// With two kernels: NAME, whose vectors go through registers, and NAME_plain; the plain one as NAME where no vector
  /// can. `index` is the type of i.
  std::string text(const char* index) const;
  /// The program's texts, each once, and little else.
  std::string plain_text() const;
  GeneratorTexts texts() const;
};

/// Throws ArgumentError if the texts are invalid. `type` is the name of the values' type in the source.
ReductionSource read_reduction(const ReductionOptions& options, std::string type, std::size_t size);

}  // namespace kiln
