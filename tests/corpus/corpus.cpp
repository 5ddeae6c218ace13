#include "corpus.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>

namespace kiln::test {

namespace {

namespace fs = std::filesystem;

std::string read_file(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("cannot read " + path.string());
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream words(text);
  return {std::istream_iterator<std::string>(words), std::istream_iterator<std::string>()};
}

std::vector<double> expected_values(const std::string& text) {
  std::vector<double> values;
  if (const std::size_t star = text.find("*i"); star != std::string::npos) {
    const double slope = std::stod(text), shift = star + 2 < text.size() ? std::stod(text.substr(star + 2)) : 0;
    for (int i = 0; i < corpus_size; ++i) values.push_back(slope * i + shift);
  } else {
    for (const std::string& word : words_of(text)) values.push_back(std::stod(word));
    values.resize(corpus_size, values.back());
  }
  return values;
}

void read_line(CorpusSource& source, const fs::path& folder, const std::string& key, const std::string& value) {
  if (key == "kernel") {
    source.kernel = value;
  } else if (key == "out") {
    source.floats = value == "float";
  } else if (key == "expect") {
    source.expected = expected_values(value);
  } else if (key == "backend") {
    source.backend = value == "nvcc" ? Backend::nvcc : Backend::nvrtc;
  } else if (key == "options") {
    source.options.options = words_of(value);
  } else if (key == "instance") {
    source.options.name_expressions.push_back(value);
  } else if (key == "header") {
    source.options.headers[value] = read_file(folder / "in_memory" / value);
  } else if (key == "no_extern_c") {
    source.options.no_extern_c = false;
  } else if (key == "grid") {
    source.grid = static_cast<unsigned>(std::stoul(value));
  } else if (key == "block") {
    source.block = static_cast<unsigned>(std::stoul(value));
  } else if (key == "shared") {
    source.shared = static_cast<unsigned>(std::stoul(value));
  } else if (key == "run") {
    source.run = false;
  } else {
    throw std::runtime_error(source.name + ": what is \"" + key + "\"?");
  }
}

/// "// key: value"; other comments have no colon behind their first word.
void read_lines(CorpusSource& source, const fs::path& folder) {
  std::istringstream lines(source.text);
  for (std::string line; std::getline(lines, line) && line.rfind("// ", 0) == 0;) {
    if (line.back() == '\r') line.pop_back();
    const std::size_t colon = line.find(": ");
    if (colon == std::string::npos || line.find(' ', 3) < colon) continue;
    read_line(source, folder, line.substr(3, colon - 3), line.substr(colon + 2));
  }
  if (source.kernel.empty() || (source.run && source.expected.empty()))
    throw std::runtime_error(source.name + " does not say its kernel or what it must give");
}

}  // namespace

std::vector<CorpusSource> read_corpus(const fs::path& folder) {
  std::vector<CorpusSource> corpus;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder / "sources")) {
    CorpusSource source;
    source.name = entry.path().stem().string();
    source.text = read_file(entry.path());
    source.options.name = entry.path().filename().string();
    source.options.include_dirs = {folder / "include"};
    read_lines(source, folder);
    corpus.push_back(std::move(source));
  }
  std::sort(corpus.begin(), corpus.end(), [](const CorpusSource& a, const CorpusSource& b) { return a.name < b.name; });
  return corpus;
}

}  // namespace kiln::test
