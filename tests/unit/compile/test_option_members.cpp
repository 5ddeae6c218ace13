// Every member of CompileOptions and LinkOptions changes what code is known by, or it is said here why it need not. A
// new member does not build until it has its line.
#include "compile/link/link_key.hpp"
#include "compile/request/request.hpp"

#include <kiln/linker.hpp>

#include <doctest/doctest.h>

#include <functional>
#include <string>
#include <vector>

namespace option_members_test {

using namespace kiln;

namespace {

template <class Options>
struct Member {
  const char* name;
  std::function<void(Options&)> change;
  const char* why_not_in_key = nullptr;
  const char* why_not_in_memory = nullptr;  // not in the name of a request in this process
};

constexpr const char* by_the_compiler = "the compiler that is chosen has an identity, which is in the key";
constexpr const char* where_it_is_kept = "says where code is kept, and not which";
constexpr const char* how_it_is_kept = "says how code is stored, and not which is found";
constexpr const char* fills_folder = "fills the folder that is looked in";
constexpr const char* miss_is_error = "says that a miss is an error, and not what is found";
constexpr const char* no_look_up = "with another value nothing is looked up or kept";
constexpr const char* by_its_answers = "what it gives stands in headers before anything is looked up";
constexpr const char* how_long = "says that times are measured, and not what is made";
constexpr const char* when_to_stop = "says when to stop, and not what to make";

std::vector<Member<CompileOptions>> compile_members() {
  using Options = CompileOptions;
  // One of these for each line below.
  [[maybe_unused]] const auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19,
                                m20, m21] = Options{};
  [[maybe_unused]] const auto& [n1, n2] = NvccOptions{};
  [[maybe_unused]] const auto& [c1, c2, c3, c4, c5, c6, c7, c8] = CacheOptions{};
  return {
      {"options", [](Options& o) { o.options = {"-DX"}; }},
      {"include_dirs", [](Options& o) { o.include_dirs = {"/p"}; }},
      {"defines", [](Options& o) { o.defines = {"X"}; }},
      {"late_defines", [](Options& o) { o.late_defines = {"X"}; }},
      {"arch", [](Options& o) { o.arch = "sm_90"; }},
      {"target", [](Options& o) { o.target = Target::ptx; }},
      {"backend", [](Options& o) { o.backend = Backend::nvcc; }, by_the_compiler},
      {"name", [](Options& o) { o.name = "other.cu"; }},
      {"headers",
       [](Options& o) {
         o.headers = {{"h.h", "x"}};
       }},
      {"header_callback",
       [](Options& o) { o.header_callback = [](const std::string&) { return std::optional<std::string>(); }; },
       by_its_answers, by_its_answers},
      {"name_expressions", [](Options& o) { o.name_expressions = {"k<int>"}; }},
      {"cache", [](Options& o) { o.cache = false; }, no_look_up, no_look_up},
      {"caching.dir", [](Options& o) { o.caching.dir = "/c"; }, where_it_is_kept},
      {"caching.read_only_dirs", [](Options& o) { o.caching.read_only_dirs = {"/c"}; }, where_it_is_kept},
      {"caching.trusted_owners", [](Options& o) { o.caching.trusted_owners = {"0"}; }, where_it_is_kept},
      {"caching.public_keys", [](Options& o) { o.caching.public_keys = {"/k"}; }, where_it_is_kept},
      {"caching.remote", [](Options& o) { o.caching.remote = "redis://h @unsigned"; }, fills_folder, fills_folder},
      {"caching.strict_headers", [](Options& o) { o.caching.strict_headers = true; }},
      {"caching.require_hit", [](Options& o) { o.caching.require_hit = true; }, miss_is_error, miss_is_error},
      {"caching.durable", [](Options& o) { o.caching.durable = true; }, how_it_is_kept, how_it_is_kept},
      {"keep", [](Options& o) { o.keep = true; }, no_look_up, no_look_up},
      {"keep_ptx", [](Options& o) { o.keep_ptx = true; }},
      {"timing", [](Options& o) { o.timing = true; }, how_long, how_long},
      {"no_extern_c", [](Options& o) { o.no_extern_c = false; }},
      {"nvcc.path", [](Options& o) { o.nvcc.path = "/n/nvcc"; }, by_the_compiler},
      {"nvcc.code", [](Options& o) { o.nvcc.code = "sm_90"; }},
      {"language", [](Options& o) { o.language = Language::nvvm_ir; }, "LLVM IR has a key of another form, ir_key"},
      {"timeout", [](Options& o) { o.timeout = std::chrono::seconds(1); }, when_to_stop, when_to_stop},
      {"cancel", [](Options& o) { o.cancel = CancelToken(); }, when_to_stop, when_to_stop},
  };
}

std::string key_of(const CompileOptions& options) {
  return make_request("#include <x.h>\n", options, {"sm_80"}, compiler_elsewhere("a compiler")).key.request;
}

std::string identity_of(const CompileOptions& options) { return request_identity("x", options, {"sm_80"}); }

constexpr const char* settled = "settled before: the order has the result, which is in the key";

std::vector<Member<LinkOptions>> link_members() {
  using Options = LinkOptions;
  [[maybe_unused]] const auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19,
                                m20, m21, m22, m23] = Options{};
  return {
      {"options", [](Options& o) { o.options = {"-jump-table-density=50"}; }},
      {"arch", [](Options& o) { o.arch = "sm_90"; }, settled},
      {"target", [](Options& o) { o.target = Target::ptx; }},
      {"backend", [](Options& o) { o.backend = Backend::driver; }, by_the_compiler},
      {"name", [](Options& o) { o.name = "other"; }, "stands in messages, and not in code"},
      {"cache", [](Options& o) { o.cache = false; }, no_look_up},
      {"caching.dir", [](Options& o) { o.caching.dir = "/c"; }, where_it_is_kept},
      {"caching.read_only_dirs", [](Options& o) { o.caching.read_only_dirs = {"/c"}; }, where_it_is_kept},
      {"caching.trusted_owners", [](Options& o) { o.caching.trusted_owners = {"0"}; }, where_it_is_kept},
      {"caching.public_keys", [](Options& o) { o.caching.public_keys = {"/k"}; }, where_it_is_kept},
      {"caching.remote", [](Options& o) { o.caching.remote = "redis://h @unsigned"; }, fills_folder},
      {"caching.strict_headers", [](Options& o) { o.caching.strict_headers = true; }, "a link has no headers"},
      {"caching.require_hit", [](Options& o) { o.caching.require_hit = true; }, miss_is_error},
      {"caching.durable", [](Options& o) { o.caching.durable = true; }, how_it_is_kept},
      {"lto", [](Options& o) { o.lto = true; }, settled},
      {"optimization", [](Options& o) { o.optimization = 1; }},
      {"max_registers", [](Options& o) { o.max_registers = 32; }},
      {"debug", [](Options& o) { o.debug = true; }},
      {"lineinfo", [](Options& o) { o.lineinfo = true; }},
      {"ftz", [](Options& o) { o.ftz = true; }},
      {"prec_div", [](Options& o) { o.prec_div = false; }},
      {"prec_sqrt", [](Options& o) { o.prec_sqrt = false; }},
      {"fma", [](Options& o) { o.fma = false; }},
      {"kernels_used", [](Options& o) { o.kernels_used = {"k"}; }},
      {"variables_used", [](Options& o) { o.variables_used = {"v"}; }},
      {"optimize_unused_variables", [](Options& o) { o.optimize_unused_variables = true; }},
      {"split_compile", [](Options& o) { o.split_compile = 2; }},
      {"ptxas_options", [](Options& o) { o.ptxas_options = {"-v"}; }},
      {"verbose", [](Options& o) { o.verbose = true; }},
      {"message_handler", [](Options& o) { o.message_handler = [](bool, const auto&, const auto&) {}; },
       "is told of a link; what is found was none"},
  };
}

std::string key_of(const LinkOptions& options) {
  const LinkOrder order{options.name, {}, &options, "sm_80", false};
  return link_key(order, "a linker", {});
}

}  // namespace

TEST_CASE("each member of CompileOptions is in the key and in the request's name in memory, or need not be") {
  const auto members = compile_members();
  CHECK(members.size() == 29);
  for (const auto& member : members) {
    CAPTURE(member.name);
    CompileOptions changed;
    member.change(changed);
    CHECK((key_of(changed) != key_of(CompileOptions{})) == (member.why_not_in_key == nullptr));
    CHECK((identity_of(changed) != identity_of(CompileOptions{})) == (member.why_not_in_memory == nullptr));
  }
}

TEST_CASE("each member of LinkOptions is in the key, or need not be") {
  const auto members = link_members();
  CHECK(members.size() == 30);
  for (const auto& member : members) {
    CAPTURE(member.name);
    LinkOptions changed;
    member.change(changed);
    CHECK((key_of(changed) != key_of(LinkOptions{})) == (member.why_not_in_key == nullptr));
  }
}

}  // namespace option_members_test
