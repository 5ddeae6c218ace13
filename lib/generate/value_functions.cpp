#include "generate/value_functions.hpp"

#include "generate/generated_module.hpp"

namespace kiln {

std::string value_functions(const ValueTexts& texts) {
  const std::string head = "__device__ __forceinline__ __kiln_Value ";
  const std::string size = std::to_string(texts.size);
  // Another size would make the kernel read and write beside the program's values.
  std::string text = "typedef " + texts.type + " __kiln_Value;\nstatic_assert(sizeof(__kiln_Value) == " + size +
                     ", \"" + texts.kernel + ": T has " + size +
                     " bytes in the program, and must have the same layout in the source\");\n";
  if (!texts.neutral.empty()) {
    const bool is_list = texts.neutral[texts.neutral.find_first_not_of(" \t\n")] == '{';
    text += head + "__kiln_neutral() {\n" +
            (is_list ? "  __kiln_Value __kiln_result = " : "  return __kiln_as_neutral<__kiln_Value>(") +
            lined_part(texts.neutral, texts.kernel, "neutral", is_list ? ";" : ");") +
            (is_list ? "  return __kiln_result;\n}\n" : "}\n");
  }
  text += head + "__kiln_reduce(const __kiln_Value& a, const __kiln_Value& b) {\n  return (" +
          lined_part(texts.expression, texts.kernel, texts.expression_name, ");") + "}\n";
  return text + head + "__kiln_post(const __kiln_Value& a) {\n  return " +
         (texts.post.empty() ? "a;\n" : "(" + lined_part(texts.post, texts.kernel, "post_expr", ");")) + "}\n";
}

}  // namespace kiln
