// The page of the JSON that stands in a file: what the test of the page shows to a browser.
#include "emulator/profile/page/profile_page.hpp"

#include <fstream>
#include <iostream>
#include <iterator>

int main(int count, char** arguments) {
  std::ifstream file(count == 2 ? arguments[1] : "");
  if (!file) {
    std::cerr << "write_profile_page: give a file\n";
    return 1;
  }
  const std::string json(std::istreambuf_iterator<char>(file), {});
  std::cout << kiln::emulator::profile_page(json);
  return std::cout.good() ? 0 : 1;
}
