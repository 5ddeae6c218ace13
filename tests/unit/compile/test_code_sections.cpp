#include "compile/code/code_sections.hpp"
#include "compile/code/code_tables.hpp"

#include "fatbin_bytes.hpp"

#include "compile/code/code_tables.hpp"

#include <doctest/doctest.h>

namespace code_sections_test {

using namespace kiln;

TEST_CASE("code survives the way through sections") {
  CodeData code;
  code.own(std::string("\x7f\0code", 6));
  code.target = Target::ptx;
  code.arch = "compute_90";
  code.log = "a warning";
  code.ptx = ".version 8.0";
  code.effective_options = {"-lineinfo", "", "-arch=sm_90"};
  code.lowered_names = {{"scale<float,4>", "_Z5scaleIfLi4EEvPT_"}, {"&coefficients", "coefficients"}};
  const auto back = from_sections(to_sections(code));
  REQUIRE(back);
  CHECK(back->bytes == code.bytes);
  CHECK(back->target == Target::ptx);
  CHECK(back->arch == code.arch);
  CHECK(back->log == code.log);
  CHECK(back->lowered_names == code.lowered_names);
  CHECK(back->ptx == code.ptx);
  CHECK(back->effective_options == code.effective_options);
  CHECK(back->backend == Backend::nvrtc);
}

TEST_CASE("tables of an older form are left alone, and the code is read") {
  CodeData code;
  code.own(std::string(".version 8.0\n.target sm_80\n.entry k() .maxntid 32 {}"));
  code.target = Target::ptx;
  const Sections written = to_sections(code);
  REQUIRE(written.find(tables_label));
  Sections older;
  for (const auto& section : written.all())
    older.add(section.first == tables_label ? "tables" : section.first,
              section.first == tables_label ? "" : section.second);
  const auto back = from_sections(older);
  REQUIRE(back);
  REQUIRE(back->info().kernels.size() == 1);
  CHECK(back->info().kernels[0].max_threads_per_block == 32);
}

TEST_CASE("a fatbin keeps its tables, which spare decompressing it") {
  const char* const text = ".version 8.0\n.target sm_80\n.entry k() {}";
  CodeData code;
  code.own(kiln::test::fatbin_of({{1, 80, text}}));
  code.target = Target::fatbin;
  Sections changed;
  const Sections written = to_sections(code);
  for (const auto& section : written.all())
    changed.add(section.first, section.first == "code" ? "not read" : section.second);
  const auto back = from_sections(changed);
  REQUIRE(back);
  REQUIRE(back->info().kernels.size() == 1);
  CHECK(back->info().kernels[0].architectures == std::vector<std::string>{"compute_80"});
}

TEST_CASE("the source's name goes along, first and without its folder") {
  CodeData code;
  code.own(std::string("x"));
  CHECK_FALSE(to_sections(code).find("name"));
  for (const auto& [given, kept] :
       {std::pair("/home/sources/scale.cu", "scale.cu"), {"scale.cu", "scale.cu"}, {"", ""}}) {
    code.recipe = std::make_shared<const Recipe>(Recipe{"", CompileOptions{}.with_name(given)});
    const Sections sections = to_sections(code);
    CHECK(sections.all().front() == std::pair<std::string_view, std::string_view>("name", kept));
    CHECK(from_sections(sections));
  }
  code.recipe = std::make_shared<const Recipe>(Recipe{"", CompileOptions{}.with_name(std::string(9999, 'n'))});
  CHECK(to_sections(code).find("name")->size() == 255);
}

TEST_CASE("a missing or malformed section is no code") {
  CodeData code;
  code.own(std::string("x"));
  const Sections whole = to_sections(code);
  for (const auto& left_out : whole.all()) {
    Sections part;
    for (const auto& section : whole.all())
      if (section.first != left_out.first) part.add(section.first, section.second);
    // The tables only spare reading the code; entries of linked code from before have no effective options, nor now.
    const bool may_lack = left_out.first == tables_label || left_out.first == "effective options";
    CHECK((from_sections(part) == nullptr) == !may_lack);
  }
  for (const char* malformed : {"lowered names", "effective options"}) {
    Sections odd;
    for (const auto& section : whole.all())
      odd.add(section.first, section.first == malformed ? "no end" : section.second);
    CHECK(from_sections(odd) == nullptr);
  }
}

}  // namespace code_sections_test
