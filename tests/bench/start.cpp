// Does nothing: what a program that links Kiln costs to be started, beside the same program without it.
#include <iostream>
#ifdef WITH_KILN
#include <kiln/kiln.hpp>
#endif

int main(int argc, char**) {
  if (argc == 1) return 0;
    // What a program does not use the linker may leave out.
#ifdef WITH_KILN
  std::cout << kiln::Cache().stats().hits;
#endif
  std::cout << argc;
}
