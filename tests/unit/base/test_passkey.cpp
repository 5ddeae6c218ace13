// Programs cannot call the constructors that are for Kiln's own code.
#include "base/passkey.hpp"

#include <kiln/cancel.hpp>
#include <kiln/code_object.hpp>

#include <doctest/doctest.h>

#include <memory>
#include <type_traits>

using kiln::CancelState;
using kiln::CancelToken;
using kiln::CodeObject;
using kiln::detail::Passkey;

TEST_CASE("nothing but Kiln's own code makes a Passkey, and some constructors need one") {
  CHECK_FALSE(std::is_default_constructible_v<Passkey>);
  CHECK_FALSE(std::is_aggregate_v<Passkey>);
  CHECK_FALSE(std::is_constructible_v<CancelToken, std::shared_ptr<CancelState>>);
  CHECK(std::is_constructible_v<CancelToken, decltype(kiln::passkey), std::shared_ptr<CancelState>>);
  CHECK_FALSE(std::is_constructible_v<CodeObject, std::shared_ptr<const kiln::CodeData>, bool>);
  CHECK(std::is_constructible_v<CodeObject, decltype(kiln::passkey), std::shared_ptr<const kiln::CodeData>, bool>);
}
