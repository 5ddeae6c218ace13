// What a module's .target has no instruction for is refused at its load: against a table, and against ptxas itself.
#include "emulator/ptx/parse.hpp"
#include "run_program.hpp"
#include "run_ptx.hpp"
#include "scratch_folder.hpp"
#include "target_rows.hpp"
#include "toolkit/locate/toolkit.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <iterator>
#include <set>
#include <string>

namespace target_rules_test {

using namespace kiln::emulator;
using namespace kiln::emulator::test;

namespace {

const std::string head =
    ".visible .entry k(.param .u64 p)\n{\n"
    ".reg .pred %p<9>; .reg .b16 %h<20>; .reg .b32 %r<40>; .reg .b64 %d<20>; .reg .f32 %f<20>; .reg .f64 %e<20>; "
    ".reg .b128 %q<4>; .reg .b8 %b<4>;\n";

std::string kernel(const std::string& statements, std::string_view target) {
  return ptx_module(head + statements + "\nret;\n}\n", std::string(target));
}

unsigned number_of(std::string_view target) {
  unsigned number = 0;
  std::from_chars(target.data() + 3, target.data() + target.size(), number);
  return number;
}

// The emulator's message; empty where the module is loaded.
std::string refusal(std::string_view statement, std::string_view target) {
  try {
    TestModule module(kernel(std::string(statement), target), number_of(target));
    return {};
  } catch (const ptx::ParseError& error) {
    return error.message();
  }
}

std::string ptxas() { return kiln::current_toolkit().root.value_or("") + "/bin/ptxas"; }
bool has_no_ptxas() { return !std::filesystem::exists(ptxas()); }

// The rows that ptxas refuses for the target. A syntax error hides what is wrong behind it, so it is asked until it
// takes the rest.
std::set<std::size_t> refused_by_ptxas(std::string_view target) {
  const kiln::test::ScratchFolder folder;
  std::set<std::size_t> refused;
  const std::size_t lines_before = static_cast<std::size_t>(std::ranges::count(kernel("", target), '\n')) - 3;
  for (;;) {
    std::string text;
    for (std::size_t i = 0; i < std::size(target_rows); ++i)
      text += (refused.contains(i) ? std::string() : std::string(target_rows[i].statement)) + "\n";
    const auto file = folder.write("rows.ptx", kernel(text, target));
    const kiln::test::ProgramResult run = kiln::test::run_program(
        ptxas(), {"-arch=" + std::string(target), "-c", "-O0", "-o", "/dev/null", file.string()});
    if (run.status == 0) return refused;
    const std::size_t before = refused.size();
    for (std::size_t at = 0; (at = run.output.find(", line ", at)) != std::string::npos; ++at) {
      const std::size_t row = std::stoul(run.output.substr(at + 7)) - lines_before - 1;
      const std::string kind = run.output.substr(run.output.find("; ", at) + 2, 5);  // some lines give advice
      if (row < std::size(target_rows) && (kind == "error" || kind == "fatal")) refused.insert(row);
    }
    REQUIRE_MESSAGE(refused.size() > before, run.output);
  }
}

}  // namespace

TEST_CASE("emulator targets: a form is refused below the first architecture that has it, and taken there") {
  for (const TargetRow& row : target_rows) {
    CAPTURE(row.statement);
    const auto least = std::ranges::find(targets, row.least);
    REQUIRE(least != std::end(targets));
    CHECK(refusal(row.statement, *least) == "");
    for (const std::string_view* lower = targets; lower != least; ++lower) {
      CAPTURE(*lower);
      const std::string message = refusal(row.statement, *lower);
      const bool is_named = message.find("requires .target sm_") != std::string::npos ||
                            message.find("not supported on .target '" + std::string(*lower)) != std::string::npos;
      CHECK_MESSAGE(is_named, message);
    }
  }
}

TEST_CASE("emulator targets: the line and the first target that has the instruction are in the error") {
  CHECK(refusal("cp.async.wait_all;", "sm_75") == "Feature 'cp.async' requires .target sm_80 or higher");
  CHECK(refusal("mov.u32 %r1, %clusterid.x;", "sm_89") == "Feature '%clusterid.x' requires .target sm_90 or higher");
  CHECK(refusal("wgmma.fence.sync.aligned;", "sm_100a") ==
        "Instruction 'wgmma.fence' not supported on .target 'sm_100a'");
  CHECK(refusal("redux.sync.min.f32 %f1, %f2, %r3;", "sm_120a") ==
        "Instruction 'redux.f32' not supported on .target 'sm_120a'");
  try {
    TestModule module(kernel("\ncp.async.wait_all;", "sm_75"), 90);
    FAIL("it was loaded");
  } catch (const ptx::ParseError& error) {
    CHECK(error.line() == 8);
    CHECK(std::string(error.what()).find("cp.async.wait_all;") != std::string::npos);
  }
}

TEST_CASE("emulator targets: the line of the CUDA source is in the error, where the text knows it") {
  const std::string source = ".file 1 \"k.cu\"\n//kiln-source k.cu\n//|first\n//|  waits();\n";
  try {
    TestModule module(kernel(".loc 1 2 0\ncp.async.wait_all;", "sm_75") + source, 90);
    FAIL("it was loaded");
  } catch (const ptx::ParseError& error) {
    const std::string text = error.what();
    CHECK_MESSAGE(text.ends_with("\n    cp.async.wait_all;\n    k.cu:2: waits();"), text);
  }
}

TEST_CASE("emulator targets: a text of a newer PTX version stops where it comes to such an instruction") {
  std::string text = kernel("cp.async.wait_all;", "sm_75");
  text.replace(text.find("9.0"), 3, "9.9");
  TestModule module(text);
  const LaunchOutcome outcome = module.launch("k", {1}, {1}, std::uint64_t{0});
  CHECK(outcome.result == CUDA_ERROR_NOT_SUPPORTED);
  CHECK_MESSAGE(outcome.report.find("Feature 'cp.async' requires .target sm_80 or higher") != std::string::npos,
                outcome.report);
}

TEST_CASE("emulator targets: the same forms are refused as by ptxas" * doctest::skip(has_no_ptxas()) *
          doctest::description("needs ptxas")) {
  for (const std::string_view target : targets) {
    CAPTURE(target);
    const std::set<std::size_t> refused = refused_by_ptxas(target);
    for (std::size_t i = 0; i < std::size(target_rows); ++i) {
      CAPTURE(target_rows[i].statement);
      CHECK(refusal(target_rows[i].statement, target).empty() != refused.contains(i));
    }
  }
}

}  // namespace target_rules_test
