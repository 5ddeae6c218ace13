#include "generate/value_functions.hpp"

#include "generate/generated_module.hpp"

namespace kiln {

std::string value_functions(const ValueTexts& texts) {
  const std::string head = "__device__ __forceinline__ kiln_value ";
  const std::string size = std::to_string(texts.size);
  // Another size would make the kernel read and write beside the program's values.
  std::string text = "typedef " + texts.type + " kiln_value;\nstatic_assert(sizeof(kiln_value) == " + size + ", \"" +
                     texts.kernel + ": T has " + size +
                     " bytes in the program, and must have the same layout in the source\");\n";
  if (!texts.neutral.empty()) {
    const bool is_list = texts.neutral[texts.neutral.find_first_not_of(" \t\n")] == '{';
    text += head + "kiln_neutral() {\n" +
            (is_list ? "  kiln_value value = " : "  return kiln_generated::neutral<kiln_value>(") +
            lined_part(texts.neutral, texts.kernel, "neutral") + (is_list ? ";\n  return value;\n}\n" : ");\n}\n");
  }
  text += head + "kiln_reduce(const kiln_value& a, const kiln_value& b) {\n  return (" +
          lined_part(texts.expression, texts.kernel, texts.expression_name) + ");\n}\n";
  return text + head + "kiln_post(const kiln_value& a) {\n  return " +
         (texts.post.empty() ? "a" : "(" + lined_part(texts.post, texts.kernel, "post_expr") + ")") + ";\n}\n";
}

}  // namespace kiln
