// Each member of CompileOptions and LinkOptions is in the key and in the request's name in memory where its row of the
// table says so, and only there.
#include "compile/link/link_steps.hpp"
#include "compile/options/option_table.hpp"
#include "compile/request/request.hpp"
#include "compile/saved_code.hpp"

#include <kiln/linker.hpp>

#include <doctest/doctest.h>

#include <chrono>
#include <functional>
#include <string>
#include <vector>

namespace option_members_test {

using namespace kiln;

namespace {

// Another value of a member of that type, which makes sense for the one of that name.

void change(std::string_view name, std::string& value) {
  value = name == "arch" || name == "nvcc.code" ? "sm_90" : name == "caching.remote" ? "redis://h @unsigned" : "/other";
}
void change(std::string_view, bool& value) { value = !value; }
void change(std::string_view name, std::optional<bool>& value) { value = name == "lto"; }
void change(std::string_view, std::optional<int>& value) { value = 2; }
void change(std::string_view, Target& value) { value = Target::ptx; }
void change(std::string_view, Backend& value) { value = Backend::nvcc; }
void change(std::string_view, Language& value) { value = Language::nvvm_ir; }
void change(std::string_view, std::filesystem::path& value) { value = "/other"; }
void change(std::string_view, std::chrono::milliseconds& value) { value = std::chrono::seconds(1); }
void change(std::string_view, std::vector<std::string>& value) { value = {"-DX"}; }
void change(std::string_view, std::vector<std::filesystem::path>& value) { value = {"/other"}; }
void change(std::string_view, std::vector<Define>& value) { value = {"X"}; }
void change(std::string_view, std::map<std::string, std::string>& value) { value = {{"h.h", "x"}}; }
void change(std::string_view, CancelToken& value) { value = CancelSource().token(); }
void change(std::string_view, CacheOptions& value) { value.dir = "/other"; }
void change(std::string_view, HeaderCallback& value) {
  value = [](const std::string&) { return std::optional<std::string>(); };
}
void change(std::string_view, decltype(LinkOptions::message_handler)& value) {
  value = [](bool, const auto&, const auto&) {};
}

std::string key_of(const CompileOptions& options) {
  return make_request("#include <x.h>\n", options, {"sm_80"}, compiler_elsewhere("a compiler")).key.request;
}

std::string identity_of(const CompileOptions& options) { return request_identity("x", options, {"sm_80"}); }

std::string key_of(const LinkOptions& options) {
  const LinkOrder order{options.name, {}, &options, "sm_80", false};
  return link_key(order, "a linker", {});
}

}  // namespace

TEST_CASE("a member of CompileOptions is in the key and in the request's name in memory where the table says so") {
  for_each_option(compile_option_rows, [](const auto& row) {
    CAPTURE(row.name);
    CompileOptions changed;
    change(row.name, row.of(changed));
    CHECK((key_of(changed) != key_of(CompileOptions{})) == ((row.uses & in_key) != 0));
    CHECK((identity_of(changed) != identity_of(CompileOptions{})) == ((row.uses & in_identity) != 0));
  });
}

TEST_CASE("a member of LinkOptions is in the key where the table says so") {
  for_each_option(link_option_rows, [](const auto& row) {
    CAPTURE(row.name);
    LinkOptions changed;
    change(row.name, row.of(changed));
    CHECK((key_of(changed) != key_of(LinkOptions{})) == ((row.uses & in_key) != 0));
  });
}

TEST_CASE("what is saved only where it is set stands with its name, and an unknown name is refused") {
  constexpr std::tuple before{option_row<saved, &CompileOptions::keep>({"keep"})};
  constexpr std::tuple after{option_row<saved, &CompileOptions::keep>({"keep"}),
                             option_row<saved_if_set, &CompileOptions::timing>({"timing"})};
  const auto bytes_of = [](const auto& rows, const CompileOptions& options) {
    WireWriter out;
    put_options(out, rows, options);
    return out.take();
  };
  const auto read = [](const auto& rows, const std::string& bytes, CompileOptions& options) {
    WireReader in(bytes);
    return get_options(in, rows, options);
  };
  CHECK(bytes_of(after, {.keep = true}) == bytes_of(before, {.keep = true}));
  const std::string bytes = bytes_of(after, {.keep = true, .timing = true});
  CompileOptions options;
  REQUIRE(read(after, bytes, options));
  CHECK(options.keep);
  CHECK(options.timing);
  CHECK_FALSE(read(before, bytes, options));
  for (std::size_t size = 2; size < bytes.size(); ++size) CHECK_FALSE(read(after, bytes.substr(0, size), options));
}

}  // namespace option_members_test
