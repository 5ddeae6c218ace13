#include "compile/header_list.hpp"

#include <doctest/doctest.h>

using kiln::read_header_lines;
using kiln::read_prerequisites;

using List = std::vector<std::string>;

TEST_CASE("the prerequisites of every rule, once each") {
  CHECK(read_prerequisites("k.o: a.h \\\n b.h\\\n c.h\nk.o: b.h d.h\n") == List{"a.h", "b.h", "c.h", "d.h"});
  CHECK(read_prerequisites("k.o : a.h\r\nl.o:\nm.o:a.h b.h") == List{"a.h"});
  CHECK(read_prerequisites("") == List{});
  CHECK(read_prerequisites("a.h b.h") == List{});
}

TEST_CASE("make's escapes are undone") {
  CHECK(read_prerequisites("k.o: we\\ ird\\#$$h.h") == List{"we ird#$h.h"});
  CHECK(read_prerequisites("k.o: we\\ ird#$h.h") == List{"we ird#$h.h"});  // as nvcc's own lists have it
  CHECK(read_prerequisites("k.o: a\\b.h c\\\\\\ d.h e\\\\ f.h") == List{"a\\b.h", "c\\ d.h", "e\\", "f.h"});
  CHECK(read_prerequisites("C\\:/k.o: C:/a.h \xc3\xa4.h b\\:c.h") == List{"C:/a.h", "\xc3\xa4.h", "b:c.h"});
  CHECK(read_prerequisites("k.o: a.h \\") == List{"a.h", "\\"});
}

TEST_CASE("a list of a name a line, once each, its escapes undone") {
  CHECK(read_header_lines("/a b.h\n\n/c\\\\d\\\"e.h\n/a b.h\n/f\\g.h") == List{"/a b.h", "/c\\d\"e.h", "/f\\g.h"});
  CHECK(read_header_lines("").empty());
}
