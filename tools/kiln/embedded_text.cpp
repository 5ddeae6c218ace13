#include "embedded_text.hpp"

#include "base/escaped_text.hpp"

#include <cstddef>
#include <string_view>

namespace kiln::tool {

namespace {

/// Letters and digits stay; equal only for equal names.
std::string symbol_of(std::string_view name) {
  constexpr std::string_view hex = "0123456789abcdef";
  std::string symbol;
  for (const char character : name) {
    const auto byte = static_cast<unsigned char>(character);
    const bool is_plain = (byte >= '0' && byte <= '9') || (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z');
    if (is_plain)
      symbol += character;
    else
      symbol.append(1, '_').append(1, hex[byte >> 4]).append(1, hex[byte & 15]);
  }
  return symbol;
}

/// Literals that stand behind each other are one.
std::string literals(std::string_view bytes) {
  constexpr std::size_t line_length = 110;
  std::string text = "\n    \"";
  std::size_t line = 0;
  for (const char character : bytes) {
    const auto byte = static_cast<unsigned char>(character);
    if (line >= line_length) {
      text += "\"\n    \"";
      line = 0;
    }
    const std::size_t before = text.size();
    if (byte >= 0x20 && byte < 0x7f && byte != '"' && byte != '\\' && byte != '?') {
      text += character;
    } else {
      text += '\\';
      for (const int shift : {6, 3, 0}) text += static_cast<char>('0' + ((byte >> shift) & 7));
    }
    line += text.size() - before;
  }
  return text + "\"";
}

std::string array(const std::string& symbol, std::string_view bytes) {
  return "constexpr char " + symbol + "[] =" + literals(bytes) + ";\n";
}

std::string length(const std::string& symbol) { return "{" + symbol + ", sizeof " + symbol + " - 1}"; }

}  // namespace

std::string embedded_text(const EmbeddedContent& content, const std::string& anchor) {
  const std::string name = symbol_of(content.name);
  const std::string file = "kiln_embedded_" + name;
  std::string text = "// " + line_name(content.name) +
                     " and the code that the build made of it, for kiln::embedded. Written by `kiln embed`.\n"
                     "#include <kiln/detail/embedded_file.hpp>\n\nnamespace {\n\n" +
                     array(file + "_request", content.request);
  std::string codes;
  for (const auto& [arch, code] : content.codes) {
    const std::string symbol = std::string(file).append("_").append(arch);
    text += array(symbol, code);
    codes.append("    {\"").append(arch).append("\", ").append(length(symbol)).append("},\n");
  }
  text += "constexpr kiln::detail::EmbeddedCode " + file + "_codes[] = {\n" + codes + "};\n\n}  // namespace\n\n";
  text += "extern \"C\" {\n";
  const std::string hidden = "extern __attribute__((visibility(\"hidden\"))) const ";
  text += hidden + "kiln::detail::EmbeddedFile " + file + ";\nconst kiln::detail::EmbeddedFile " + file + " = {" +
          line_name(content.name) + ", " + length(file + "_request") + ", " + file + "_codes, " +
          std::to_string(content.codes.size()) + "};\n";
  if (!anchor.empty()) {
    const std::string symbol = "kiln_embedded_in_" + anchor;
    text += hidden + "char " + symbol + ";\nconst char " + symbol + " = 0;\n";
  }
  text +=
      "}\n\n#if __has_attribute(retain)\n#define KILN_EMBEDDED_KEPT used, retain\n#else\n"
      "#define KILN_EMBEDDED_KEPT used\n#endif\n"
      "__attribute__((KILN_EMBEDDED_KEPT, section(\"kiln_embedded\"))) static const kiln::detail::EmbeddedFile* "
      "const " +
      file + "_entry = &" + file + ";\n#undef KILN_EMBEDDED_KEPT\n";
  return text;
}

}  // namespace kiln::tool
