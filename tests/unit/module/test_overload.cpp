#include "module/overload.hpp"

#include <doctest/doctest.h>

#include <vector>

namespace overload_test {

namespace {

using kiln::Parameter;
using kiln::ParameterKind;

kiln::KernelInfo kernel(std::vector<Parameter> parameters) {
  kiln::KernelInfo info;
  info.parameters = std::move(parameters);
  return info;
}

using Candidates = std::vector<const kiln::KernelInfo*>;

struct Vec {
  float x, y;
};

}  // namespace

TEST_CASE("the overload with exactly the stated types is taken") {
  const auto floats = kernel({{0, 8, ParameterKind::pointer, "float const*"}, {8, 4, ParameterKind::integer, "int"}});
  const auto doubles = kernel({{0, 8, ParameterKind::pointer, "double const*"}, {8, 4, ParameterKind::integer, "int"}});
  const auto longer = kernel({{0, 8, ParameterKind::pointer, "float const*"},
                              {8, 4, ParameterKind::integer, "int"},
                              {12, 4, ParameterKind::integer, "int"}});
  const Candidates all = {&longer, &floats, &doubles};
  CHECK(kiln::pick_overload(all, kiln::detail::signature<const float*, int>) == Candidates{&floats});
  CHECK(kiln::pick_overload(all, kiln::detail::signature<const double*, int>) == Candidates{&doubles});
  CHECK(kiln::pick_overload(all, kiln::detail::signature<const float*, int, int>) == Candidates{&longer});
}

TEST_CASE("without such an overload, those that a typed function would accept are left") {
  const auto floats = kernel({{0, 8, ParameterKind::pointer, "float*"}});
  const auto doubles = kernel({{0, 8, ParameterKind::pointer, "double*"}});
  const auto integer = kernel({{0, 8, ParameterKind::integer, "long"}});
  const Candidates all = {&floats, &doubles, &integer};
  CHECK(kiln::pick_overload(all, kiln::detail::signature<const double*>) == Candidates{&doubles});
  CHECK(kiln::pick_overload(all, kiln::detail::signature<void*>) == Candidates{&floats, &doubles});
  CHECK(kiln::pick_overload(all, kiln::detail::signature<double>).empty());
  CHECK(kiln::pick_overload(all, kiln::detail::signature<>).empty());
}

TEST_CASE("a struct fits a parameter of its size whose kind is not known") {
  const auto eight = kernel({{0, 8, ParameterKind::other, "other::Vec"}});
  const auto sixteen = kernel({{0, 16, ParameterKind::other, "other::Wide"}});
  CHECK(kiln::pick_overload({&eight, &sixteen}, kiln::detail::signature<Vec>) == Candidates{&eight});
}

}  // namespace overload_test
