// What substitute costs for a template of 1 MB, beside a plain copy of that text: with few names, and with a name every
// 20 bytes; and render_template's loop of the same size. Usage: template [repeats]
#include "measure.hpp"

#include <kiln/kiln.hpp>

#include <cstring>

using namespace kiln::bench;

namespace {

constexpr std::size_t text_size = 1'000'000;

std::string repeated(const std::string& line) {
  std::string text;
  while (text.size() < text_size) text += line;
  return text;
}

void report(const char* what, const std::string& text, const kiln::TemplateValues& values, int repeats) {
  std::vector<double> copy, substitute;
  for (int i = 0; i < repeats; ++i) {
    std::string copied;
    copy.push_back(nanoseconds([&] { copied = std::string(text.data(), text.size()); }) / 1e6);
    std::string made;
    substitute.push_back(nanoseconds([&] { made = kiln::substitute(text, values); }) / 1e6);
    if (copied.empty() || made.empty()) throw std::runtime_error("nothing was made");
  }
  std::printf("%s: %zu bytes, ms: copy %s, substitute %s\n", what, text.size(), quartiles(copy).c_str(),
              quartiles(substitute).c_str());
}

void report_render(int repeats) {
  const std::string line = "  values[{@ . @}] += factor * other[{@ . @}];\n";
  const kiln::TemplateObject data = {{"n", std::vector<std::size_t>(text_size / line.size())}};
  std::vector<double> render;
  for (int i = 0; i < repeats; ++i)
    render.push_back(nanoseconds([&] { kiln::render_template("{@#n@}\n" + line + "{@/n@}\n", data); }) / 1e6);
  std::printf("a loop of %zu lines, ms: render_template %s\n", text_size / line.size(), quartiles(render).c_str());
}

}  // namespace

int main(int argc, char** argv) try {
  const int repeats = argc > 1 ? std::atoi(argv[1]) : 100;
  kiln::TemplateValues values = {{"type", "float"}, {"n", 3}, {"block", 256}, {"factor", 0.5F}};
  report("a name a line",
         repeated("  values[i] += static_cast<$type>(factor) * other[i]; // and some more text here\n"), values,
         repeats);
  report("a name every 20 bytes", repeated("x[i + $n] += y[j] +\n  ${type}(z[$block]) *\n"), values, repeats);
  values.emplace("several", kiln::CodeBlock{"a;\nb;"});
  report("the same, where a value has lines", repeated("x[i + $n] += y[j] +\n  ${type}(z[$block]) *\n"), values,
         repeats);
  report_render(repeats / 10 + 1);
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "template: %s\n", error.what());
  return 1;
}
