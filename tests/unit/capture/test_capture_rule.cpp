#include "capture/capture_rule.hpp"

#include "environment_guard.hpp"

#include <kiln/log.hpp>

#include <doctest/doctest.h>

#include <limits>
#include <string>
#include <vector>

namespace capture_rule_test {

namespace {

kiln::KernelInfo scale_kernel() {
  kiln::KernelInfo kernel;
  kernel.name = "_ZN2ns5scaleIfLi4EEEvPfi";
  kernel.readable_name = "void ns::scale<float, 4>(float*, int)";
  return kernel;
}

bool is_named(const std::string& pattern) {
  const kiln::test::EnvironmentGuard guard({{"KILN_CAPTURE", pattern}});
  return kiln::capture_rule(kiln::capture_names(scale_kernel())).has_value();
}

}  // namespace

TEST_CASE("patterns") {
  CHECK(kiln::matches_pattern("*", ""));
  CHECK(kiln::matches_pattern("a*b*c", "abbxbc"));
  CHECK(kiln::matches_pattern("a?c*", "abc"));
  CHECK_FALSE(kiln::matches_pattern("a?c", "ac"));
  CHECK_FALSE(kiln::matches_pattern("a*b", "abc"));
  CHECK_FALSE(kiln::matches_pattern("", "a"));
}

TEST_CASE("a kernel is named with or without namespace, template arguments and parameters, or by its symbol") {
  for (const char* pattern : {"scale", "ns::scale", "scale<float, 4>", "scale<float,4>", "ns::scale<float, 4>",
                              "_ZN2ns5scale*", "other, sc?le", "scale<*,x", "*(float*, int)", "x,scale<float, 4>,y"})
    CHECK_MESSAGE(is_named(pattern), pattern);
  for (const char* pattern : {"scal", "cale", "scale<double, 4>", "ns", ",", "float"})
    CHECK_FALSE_MESSAGE(is_named(pattern), pattern);
}

TEST_CASE("where captures go and how large they are") {
  kiln::test::EnvironmentGuard guard(
      {{"KILN_CAPTURE", "scale"}, {"KILN_CAPTURE_DIR", std::nullopt}, {"KILN_CAPTURE_MAX_SIZE", std::nullopt}});
  const auto rule = [] { return *kiln::capture_rule({"scale"}); };
  CHECK(rule().dir.ends_with("/kiln-captures"));
  CHECK(rule().dir.front() == '/');
  CHECK(rule().max_bytes == std::uint64_t{1} << 30);
  guard.set("KILN_CAPTURE_DIR", "/a b");
  guard.set("KILN_CAPTURE_MAX_SIZE", "2M");
  CHECK(rule().dir == "/a b");
  CHECK(rule().max_bytes == std::uint64_t{2} << 20);
  guard.set("KILN_CAPTURE_MAX_SIZE", "0");
  CHECK(rule().max_bytes == std::numeric_limits<std::uint64_t>::max());
  guard.set("KILN_CAPTURE_MAX_SIZE", "much");
  std::vector<std::string> messages;
  kiln::set_log_handler([&](kiln::LogLevel, const std::string& message) { messages.push_back(message); });
  CHECK(rule().max_bytes == std::uint64_t{1} << 30);
  CHECK(rule().max_bytes == std::uint64_t{1} << 30);
  kiln::set_log_handler({});
  CHECK(messages.size() == 1);
  guard.unset("KILN_CAPTURE");
  CHECK_FALSE(kiln::capture_rule({"scale"}));
}

}  // namespace capture_rule_test
