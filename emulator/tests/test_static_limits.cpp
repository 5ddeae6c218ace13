// Sizes and limits of a module that ptxas refuses, also of unused objects: against a table, and against ptxas.
#include "emulator/core/call_error.hpp"
#include "emulator/ptx/parse.hpp"
#include "run_program.hpp"
#include "run_ptx.hpp"
#include "scratch_folder.hpp"
#include "toolkit/locate/toolkit.hpp"

#include <filesystem>
#include <string>

namespace static_limits_test {

using namespace kiln::emulator;

namespace {

struct Row {
  std::string version, text;
  std::string fault;  // ptxas's error; empty if it accepts the text
};

std::string kernel(const std::string& params, const std::string& body = "", const std::string& directives = "") {
  return ".visible .entry k(" + params + ") " + directives + " {\n" + body + "\nret;\n}\n";
}
std::string bytes(const std::string& name, const std::string& count, int alignment = 4) {
  return ".align " + std::to_string(alignment) + " .b8 " + name + "[" + count + "]";
}

const std::string parameters = "Entry function 'k' uses too much parameter space";
const std::string shared = "Entry function 'k' uses too much shared data";
const std::string constants = "File uses too much global constant data";
const std::string use = "st.shared.u32 [a], 1;";
const std::string positive = "Positive non-zero value expected for ";

const std::vector<Row>& rows() {
  static const std::vector<Row> all{
      {"8.0", kernel(".param " + bytes("p", "4352")), ""},
      {"8.0", kernel(".param " + bytes("p", "4353")), parameters},
      {"8.1", kernel(".param " + bytes("p", "32764")), ""},
      {"8.1", kernel(".param " + bytes("p", "32765")), parameters},
      {"8.1", kernel(".param " + bytes("p", "32752") + ", .param .u64 q"), ""},
      {"8.1", kernel(".param " + bytes("p", "32756") + ", .param .u64 q"),
       parameters},  // its offset is a multiple of 8
      {"9.0", kernel(".param " + bytes("p", "32768")), parameters},
      {"9.0", kernel(".param .b8 p[0]"), "Parameter to entry function cannot be an incomplete array."},
      {"9.0", ".visible .func f(.param " + bytes("p", "40000") + ") { ret; }", ""},
      // Variables of a function always count; those of the module count if a function that a kernel reaches names them.
      {"9.0", kernel("", ".shared " + bytes("a", "49152") + ";"), ""},
      {"9.0", kernel("", ".shared " + bytes("a", "49153") + ";"), shared},
      {"9.0", kernel("", ".shared " + bytes("a", "2147483632") + ";"), shared},
      {"9.0", kernel("", "{ .shared " + bytes("a", "49156") + "; }"), shared},
      {"9.0", kernel("", ".shared " + bytes("a", "49156") + "; " + use), shared},
      {"9.0", ".func f() { .shared " + bytes("a", "49156") + "; ret; }\n" + kernel("", "call f;"), shared},
      {"9.0", ".visible .func f() { .shared " + bytes("a", "49156") + "; ret; }\n" + kernel(""), ""},
      {"9.0", ".shared " + bytes("a", "49156") + ";\n" + kernel(""), ""},
      {"9.0", ".shared " + bytes("a", "49156") + ";\n" + kernel("", use), shared},
      {"9.0", ".shared " + bytes("a", "30000") + "; .shared " + bytes("b", "30000") + ";\n" + kernel("", use), ""},
      {"9.0", ".shared " + bytes("a", "49156") + "; .func f() { " + use + " ret; }\n" + kernel("", "call f;"), shared},
      {"9.0",
       kernel("", ".shared " + bytes("a", "30000") + "; " + use) + ".visible .entry j() { .shared " +
           bytes("b", "30000") + "; ret; }",
       ""},
      {"9.0", kernel("", ".local " + bytes("a", "819200") + ";"), ""},  // what a launch refuses
      {"9.0", ".const " + bytes("a", "65536") + ";", ""},
      {"9.0", ".const " + bytes("a", "65537") + ";", constants},
      {"9.0", ".const " + bytes("a", "4294967296") + ";", constants},
      {"9.0", ".const " + bytes("a", "40000") + "; .const " + bytes("b", "40000") + ";\n" + kernel(""), constants},
      {"9.0", ".extern .const " + bytes("a", "40000") + "; .const " + bytes("b", "40000") + ";", constants},
      {"9.0", ".const .b8 a[1]; .const " + bytes("b", "65520", 16) + "; .const .b8 c[1];", constants},
      {"9.0", kernel("", ".const " + bytes("a", "65540") + ";"), constants},
      {"9.0", kernel("", "", ".maxntid 0"), positive + "maxntid"},
      {"9.0", kernel("", "", ".maxntid 1025"), ""},  // what a launch refuses
      {"9.0", kernel("", "", ".reqntid 32, 0"), positive + "reqntid"},
      {"9.0", kernel("", "", ".maxnreg 0"), positive + "maxnreg"},
      {"9.0", kernel("", "", ".maxntid 32 .minnctapersm 0"), positive + "minnctapersm"},
      {"9.0", kernel("", "", ".reqntid 32 .maxntid 64"), "Conflicting directives: .maxntid and .reqntid"},
      {"9.0", kernel("", "bar.sync 15;"), ""},
      {"9.0", kernel("", "bar.sync 16;"), "'16' out of range, expected to be in range [0..15]"},
      {"9.0", kernel("", "barrier.sync 1, 33;"), "multiple of "},
      {"9.0", kernel("", "bar.sync 1, 2048;"), ""},
  };
  return all;
}

std::string module_of(const Row& row) {
  return ".version " + row.version + "\n.target sm_90\n.address_size 64\n" + row.text + "\n";
}

/// Empty where it was loaded.
std::string refusal(const Row& row) {
  try {
    const TestModule module(module_of(row), 90);
    return {};
  } catch (const ptx::ParseError& error) {
    return error.what();
  } catch (const CallError& error) {
    return error.text;
  }
}

std::string ptxas() { return kiln::current_toolkit().root.value_or("") + "/bin/ptxas"; }
bool has_no_ptxas() { return !std::filesystem::exists(ptxas()); }

bool is_right(const Row& row, bool is_taken, const std::string& message) {
  return row.fault.empty() ? is_taken : !is_taken && message.find(row.fault) != std::string::npos;
}

}  // namespace

TEST_CASE("static limits: what ptxas refuses is refused, and nothing else") {
  for (const Row& row : rows()) {
    CAPTURE(row.text);
    const std::string message = refusal(row);
    CHECK_MESSAGE(is_right(row, message.empty(), message), message);
  }
}

TEST_CASE("static limits: ptxas says the same" * doctest::skip(has_no_ptxas())) {
  const kiln::test::ScratchFolder folder;
  for (const Row& row : rows()) {
    CAPTURE(row.text);
    const kiln::test::ProgramResult run = kiln::test::run_program(
        ptxas(), {"-arch=sm_90", "-o", "/dev/null", folder.write("limits.ptx", module_of(row)).string()});
    CHECK_MESSAGE(is_right(row, run.status == 0, run.output), run.output);
  }
}

TEST_CASE("static limits: what is too large is named as the source has it, with its line and the way out") {
  const std::string lines = ".file 1 \"tile.cu\"\n", kernel_name = "_Z4tilePi", array = "_ZZ4tilePiE1s";
  const auto refused = [&](const std::string& variables, const std::string& named) {
    return refusal(
        {"9.0",
         lines + ".visible .entry " + kernel_name + "(.param .u64 p) { .reg .b64 %d<9>;\n" + variables +
             "\n.loc 1 3 1\nld.param.u64 %d1, [p];\n.loc 1 7 1\nmov.u64 %d2, " + named + ";\nret; }\n" +
             "//kiln-source tile.cu\n//|1\n//|2\n//|__global__ void tile(int* p) {\n//|4\n//|5\n//|6\n//|s[0] = 1;\n",
         ""});
  };
  const std::string of_shared =
      refused(".shared " + bytes("small", "16") + "; .shared " + bytes(array, "61440") + ";", array);
  CHECK_MESSAGE(
      of_shared.find("Entry function 'tile(int*)' uses too much shared data (61456 bytes, 49152 max); its "
                     "largest array is tile(int*)::s of 61440 bytes\n    tile.cu:7: s[0] = 1;") != std::string::npos,
      of_shared);
  const std::string unnamed = refused(".shared " + bytes(array, "61440") + ";", "p");
  CHECK_MESSAGE(unnamed.find("\n    tile.cu:3: __global__ void tile(int* p) {") != std::string::npos, unnamed);
  const std::string of_local = refused(".local " + bytes("__local_depot0", "2147483648") + ";", "__local_depot0");
  CHECK_MESSAGE(
      of_local.find("function 'tile(int*)' uses too much local memory for a thread (2147483648 bytes, 2147483632 max)\n"
                    "    tile.cu:7: s[0] = 1;\n") != std::string::npos,
      of_local);
  CHECK_MESSAGE(of_local.find("in a buffer of device memory") != std::string::npos, of_local);
}

// ptxas 13.0 and 13.5 accept it, as if the size were signed; no device can run it.
TEST_CASE("static limits: 2 GiB of shared memory are refused") {
  const std::string message = refusal({"9.0", kernel("", ".shared " + bytes("a", "2147483648") + ";"), ""});
  CHECK_MESSAGE(message.find(shared + " (2147483648 bytes, 49152 max)") != std::string::npos, message);
}

}  // namespace static_limits_test
