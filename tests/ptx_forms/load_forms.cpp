// The verdicts of the emulator's loader on PTX statements.
//
//   load_forms               reads "target<TAB>version<TAB>statement" lines, writes "runs", "unsupported" or "refused",
//                            and the reason, for each
//   load_forms check FILE    compares with FILE, whose lines "word<TAB>target<TAB>version<TAB>statement" hold ptxas's
//                            verdicts; what ptxas refuses may also be unsupported
#include "form_verdict.hpp"

#include <fstream>
#include <iostream>
#include <string>
#include <vector>

namespace {

using kiln::emulator::test::FormVerdict;

std::vector<std::string> fields_of(const std::string& line) {
  std::vector<std::string> fields(1);
  for (const char c : line)
    if (c == '\t')
      fields.emplace_back();
    else
      fields.back() += c;
  return fields;
}

int answer() {
  for (std::string line; std::getline(std::cin, line);) {
    const std::vector<std::string> fields = fields_of(line);
    if (fields.size() != 3) return 1;
    const FormVerdict verdict = kiln::emulator::test::verdict_of(fields[2], fields[0], fields[1]);
    std::cout << verdict.word() << '\t' << verdict.why.substr(0, verdict.why.find('\n')) << '\n';
  }
  return 0;
}

int check(const char* file) {
  std::ifstream golden(file);
  std::size_t count = 0, wrong = 0;
  for (std::string line; std::getline(golden, line); ++count) {
    const std::vector<std::string> fields = fields_of(line);
    if (fields.size() != 4) return 1;
    const FormVerdict verdict = kiln::emulator::test::verdict_of(fields[3], fields[1], fields[2]);
    const bool refuses = fields[0] == "refused";
    if (refuses ? verdict.kind != FormVerdict::Kind::runs : fields[0] == verdict.word()) continue;
    ++wrong;
    std::cout << fields[1] << " " << fields[3] << "\n  expected: " << fields[0] << ", is: " << verdict.word() << " "
              << verdict.why << "\n";
  }
  std::cout << count << " statements, " << wrong << " wrong\n";
  return count == 0 || wrong != 0 ? 1 : 0;
}

}  // namespace

int main(int count, char** words) {
  std::ios::sync_with_stdio(false);
  if (count == 3 && words[1] == std::string("check")) return check(words[2]);
  return count == 1 ? answer() : 1;
}
