// Spans and mdspans as arguments: their address, or the whole where the kernel takes one; and what CCCL's
// transform_launch_argument makes of an argument.
#include "fake_cuda.hpp"
#include "fake_kernels.hpp"
#include "mdspan_like.hpp"

#include <kiln/error.hpp>
#include <kiln/launch_plan.hpp>
#include <kiln/stream.hpp>
#include <kiln/typed_function.hpp>

#include <doctest/doctest.h>

#include <span>
#include <string>
#include <vector>

namespace views_test {

// Shapes of other libraries.

/// Elements that are read as others than they are: no address of elements.
class Halved {
 public:
  using element_type = float;
  using reference = float;
  float* data_handle() const { return address_; }
  mdspan_like::extents<int> extents() const { return {}; }
  float* address_ = nullptr;
};

struct StreamRef {
  StreamRef(CUstream given) : stream(given) {}  // as cuda::stream_ref
  CUstream stream;
};

/// What was done around launches, in order.
std::vector<std::string> done;

/// Owns memory that a launch is to see as a span; not trivially copyable.
struct Owner {
  Owner(float* address, std::size_t size) : span(address, size) {}
  Owner(const Owner&) = delete;
  std::span<float> span;
  CUstream* seen = nullptr;

  friend std::span<const float> transform_launch_argument(StreamRef stream, const Owner& owner) {
    if (owner.seen != nullptr) *owner.seen = stream.stream;
    return owner.span;
  }
};
/// What has something to do behind the launch.
class Action {
 public:
  explicit Action(float* address) : address_(address) { done.emplace_back("before"); }
  Action(const Action&) = delete;
  ~Action() { done.push_back("after " + std::to_string(fake_cuda::launches().size())); }
  float* transformed_argument() const { return address_; }

 private:
  float* address_;
};
struct Staged {
  explicit Staged(float* given) : address(given) {}
  float* address;
  Staged(const Staged&) = delete;
  friend Action transform_launch_argument(StreamRef, const Staged& staged) { return Action(staged.address); }
};
struct SaysItself {
  explicit SaysItself(float* given) : address(given) {}
  float* address;
  SaysItself(const SaysItself&) = delete;
  float* transformed_argument() const { return address; }
};

namespace {

using mdspan_like::left_matrix;
using mdspan_like::matrix;

constexpr const char* by_view =
    "_Z7by_viewN4cuda3std3__46mdspanIfNS1_7extentsIiJLm18446744073709551615ELm18446744073709551615EEEENS1_12"
    "layout_rightENS1_16default_accessorIfEEEEi";
constexpr const char* by_span = "_Z7by_spanN4cuda3std3__44spanIKfLm18446744073709551615EEEi";

float* const address = reinterpret_cast<float*>(0x1234567890);

template <class T>
std::string bytes_of(const T& value) {
  return {reinterpret_cast<const char*>(&value), sizeof value};
}

/// The first argument of the last launch.
std::string passed() { return fake_cuda::launches().back().parameters.at(0); }

template <class View>
void check_address(const View& view) {
  FakeModule module;
  const kiln::Function scale = module.function("_Z5scalePfif");
  const auto check = [] {
    CHECK(passed() == bytes_of(address));
    fake_cuda::reset();
  };
  scale({1, 32}, view, 1, 2.0f), check();
  (void)scale.timed({1, 32}, view, 1, 2.0f), check();
  scale.prepare("Pif", 32).prepared_call(1, view, 1, 2.0f), check();
  scale.prepare("Pif", 32).prepared_call(1, view, 1L, 2.0), check();
  (void)scale.prepare<float*, int, float>(32).prepared_timed_call(1, view, 1, 2.0f), check();
  kiln::TypedFunction<void(float*, int, float)> typed(scale);
  typed({1, 32}, view, short{1}, 2.0), check();
  kiln::LaunchPlan plan;
  plan.add(scale, {1, 32}, view, 1, 2.0f);
  plan(nullptr), check();
  kiln::LaunchPlan replayed;
  replayed.add(scale, {1, 32}, replayed.parameter<float*>("x"), 1, 2.0f);
  replayed(nullptr, view), check();
}

template <class View>
void check_whole(const char* kernel, const View& view) {
  static_assert(sizeof(View) == 16);
  FakeModule module;
  const kiln::Function function = module.function(kernel);
  const auto check = [&] {
    CHECK(passed() == bytes_of(view));
    fake_cuda::reset();
  };
  function({1, 32}, view, 1), check();
  (void)function.timed({1, 32}, view, 1), check();
  function.prepare({"16s", "i"}, 32).prepared_call(1, view, 1), check();
  function.prepare({"16s", "i"}, 32).prepared_call(1, view, 1L), check();
  function.prepare<View, int>(32).prepared_call(1, view, 1), check();
  (void)function.prepare<View, int>(32).prepared_timed_call(1, view, 1), check();
  kiln::TypedFunction<void(View, int)> typed(function);
  typed({1, 32}, view, short{1}), check();
  kiln::LaunchPlan plan;
  plan.add(function, {1, 32}, view, 1);
  plan(nullptr), check();
  kiln::LaunchPlan replayed;
  replayed.add(function, {1, 32}, replayed.parameter<View>("view"), 1);
  replayed(nullptr, view), check();
}

template <class... Args>
std::string refusal_of(const char* kernel, const Args&... args) {
  FakeModule module;
  const kiln::Function function = module.function(kernel);
  fake_cuda::reset();
  try {
    function({1, 32}, args...);
  } catch (const kiln::ArgumentError& error) {
    CHECK(fake_cuda::launches().empty());
    return error.what();
  }
  return "nothing";
}

}  // namespace

TEST_CASE("views: a kernel that takes a pointer gets their address") {
  check_address(std::span<float>(address, 5));
  check_address(std::span<const float>(address, 5));
  check_address(std::span<float, 5>(address, 5));
  check_address(matrix<float>(address, {{{2, 3}}}));
  check_address(left_matrix<const float>(address, {{{{2, 3}}}}));
}

TEST_CASE("views: a kernel that takes one gets all of it") {
  check_whole(by_view, matrix<float>(address, {{{2, 3}}}));
  check_whole(by_view, matrix<const float>(address, {{{2, 3}}}));
  check_whole(by_span, std::span<float>(address, 5));
  check_whole(by_span, std::span<const float>(address, 5));
  // Without a mangled name the size tells, and who gives a pointer is told.
  FakeModule module;
  const kiln::Function by_value = module.function("by_value");
  by_value({1, 32}, std::span<float>(address, 5), std::span<float>(address + 1, 5), std::array<float, 3>{});
  CHECK(passed() == bytes_of(std::span<float>(address, 5)));
  CHECK(fake_cuda::launches().back().parameters.at(1) == bytes_of(address + 1));
  fake_cuda::reset();
}

TEST_CASE("views: of one size, and yet of other elements, extents or layout") {
  const auto says = [](const std::string& text, const std::string& part) {
    CAPTURE(text);
    CHECK(contains(text, part));
  };
  says(refusal_of(by_view, matrix<double>(nullptr, {{{2, 3}}}), 1), "given mdspan_like::mdspan<double, ");
  says(refusal_of(by_view, matrix<int>(nullptr, {{{2, 3}}}), 1), "expected cuda::std::mdspan<float, ");
  says(refusal_of(by_view, left_matrix<float>(address, {{{{2, 3}}}}), 1), "layout_left");
  const mdspan_like::mdspan<float, mdspan_like::extents<long, mdspan_like::any>> of_one_dimension(address, {{{5}}});
  static_assert(sizeof of_one_dimension == 16);
  says(refusal_of(by_view, of_one_dimension, 1), "extents<long, 18446744073709551615ul>");
  says(refusal_of(by_span, std::span<double>(), 1), "given std::span<double, ");
  says(refusal_of(by_span, std::span<float, 5>(address, 5), 1), "(8 bytes)");
  says(refusal_of(by_view, std::span<float>(address, 5), 1), "given std::span<float, ");
  says(refusal_of(by_view, address, 1), "given float* (pointer, 8 bytes)");
  says(refusal_of("_Z5scalePfif", std::span<double>(), 1, 2.0f), "given double* (pointer, 8 bytes)");
  says(refusal_of("_Z5scalePfif", 1, std::span<float>(), 2.0f), "argument 0");
  says(refusal_of("_Z5scalePfif", address, std::span<float>(), 2.0f), "argument 1");
  says(refusal_of(by_view, matrix<float>(address, {{{2, 3}}})), "takes 2 arguments");
  FakeModule module;
  const kiln::Function function = module.function(by_view);
  const kiln::PreparedFunction prepared = function.prepare({"16s", "i"}, 32);
  CHECK_THROWS_AS(prepared.prepared_call(1, matrix<double>(nullptr, {{{2, 3}}}), 1), kiln::ArgumentError);
  CHECK_THROWS_AS((function.prepare<std::span<float>, float>(32)), kiln::ArgumentError);
  CHECK_THROWS_AS((function.prepare<matrix<double>, int>(32)), kiln::ArgumentError);
  CHECK_THROWS_AS((kiln::TypedFunction<void(left_matrix<float>, int)>(function)), kiln::ArgumentError);
  kiln::LaunchPlan plan;
  CHECK_THROWS_AS(plan.add(function, {1, 32}, matrix<double>(nullptr, {{{2, 3}}}), 1), kiln::ArgumentError);
  plan.add(function, {1, 32}, plan.parameter<matrix<float>>("view"), 1);
  CHECK_THROWS_AS(plan(nullptr, matrix<double>(nullptr, {{{2, 3}}})), kiln::ArgumentError);
  CHECK_THROWS_AS(plan(nullptr, address), kiln::ArgumentError);
  CHECK(fake_cuda::launches().empty());
}

TEST_CASE("views: what is no view") {
  CHECK_FALSE(kiln::detail::is_view<std::vector<float>>);
  CHECK_FALSE(kiln::detail::is_view<std::array<float, 4>>);
  CHECK_FALSE(kiln::detail::is_view<std::string_view>);
  CHECK_FALSE(kiln::detail::is_view<Halved>);
  CHECK(kiln::detail::is_view<std::span<const float, 4>>);
}

TEST_CASE("transform_launch_argument: what it returns is passed, in the launch's stream, until that is submitted") {
  const Owner owner(address, 5);
  check_address(owner.span);
  FakeModule module;
  const kiln::Function scale = module.function("_Z5scalePfif");
  scale({1, 32}, owner, 1, 2.0f);
  CHECK(passed() == bytes_of(address));
  module.function(by_span)({1, 32}, owner, 1);
  CHECK(passed() == bytes_of(owner.span));
  scale.prepare("Pif", 32).prepared_call(1, owner, 1, 2.0f);
  CHECK(passed() == bytes_of(address));
  kiln::LaunchPlan plan;
  plan.add(scale, {1, 32}, plan.parameter<float*>("x"), 1, 2.0f);
  plan(nullptr, owner);
  CHECK(passed() == bytes_of(address));

  fake_cuda::reset();
  done.clear();
  scale({1, 32}, Staged(address), 1, 2.0f);
  CHECK(passed() == bytes_of(address));
  kiln::TypedFunction<void(const float*, int, float)> typed(scale);
  typed({1, 32}, Staged(address), 1, 2.0f);
  CHECK(passed() == bytes_of(address));
  CHECK(done == std::vector<std::string>{"before", "after 1", "before", "after 2"});
  scale({1, 32}, SaysItself(address), 1, 2.0f);
  CHECK(passed() == bytes_of(address));

  kiln::Stream stream;
  CUstream seen = nullptr;
  Owner told(address, 5);
  told.seen = &seen;
  scale({1, 32, 0, stream}, told, 1, 2.0f);
  CHECK(seen == stream.handle());
  seen = nullptr;
  scale.prepare("Pif", 32).prepared_async_call(1, stream, told, 1, 2.0f);
  CHECK(seen == stream.handle());
  seen = nullptr;
  plan(stream, told);
  CHECK(seen == stream.handle());
  fake_cuda::reset();
}

}  // namespace views_test
