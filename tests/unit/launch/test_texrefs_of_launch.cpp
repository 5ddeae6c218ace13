// Texture references of a LaunchConfig reach the hook that binds them, whatever makes the launch.
#include "base/passkey.hpp"
#include "fake_cuda.hpp"
#include "fake_kernels.hpp"

#include <kiln/error.hpp>
#include <kiln/launch_plan.hpp>

#include <doctest/doctest.h>

#include <optional>
#include <string>
#include <vector>

namespace texrefs_of_launch_test {

namespace {

/// Takes down which references each launch was given.
struct Hook : kiln::LaunchHook {
  void launch(const kiln::HookedLaunch& launch, const std::function<void()>& submit) override {
    const kiln::LaunchConfig& config = launch.config;
    std::vector<const void*>& given = launches.emplace_back();
    for (std::size_t i = 0; i < config.texrefs.size(); ++i) given.push_back(config.texrefs[i].shared().get());
    submit();
  }
  std::vector<std::vector<const void*>> launches;
};

kiln::TextureReference make_reference() {
  const auto owner = std::make_shared<int>();
  return kiln::TextureReference(kiln::passkey,
                                std::shared_ptr<kiln::TextureReference::Impl>(
                                    owner, reinterpret_cast<kiln::TextureReference::Impl*>(owner.get())));
}

struct Hooked {
  Hooked() { kernel->set_hook(hook); }
  FakeModule module;
  std::shared_ptr<Hook> hook = std::make_shared<Hook>();
  std::shared_ptr<kiln::Kernel> kernel = module.kernel("empty");
  kiln::Function function{kiln::passkey, kernel};
  kiln::TextureReference one = make_reference();
};

}  // namespace

TEST_CASE("a prepared function passes them on with its own block") {
  Hooked hooked;
  const kiln::PreparedFunction prepared = hooked.function.prepare("", 32);
  kiln::LaunchConfig config{4};
  config.texrefs = hooked.one;
  prepared(config);
  prepared.prepared_call(config);
  prepared.prepared_async_call(config, nullptr);
  (void)prepared.prepared_timed_call(config);
  const std::vector<const void*> expected = {hooked.one.shared().get()};
  CHECK(hooked.hook->launches == std::vector<std::vector<const void*>>(4, expected));
}

TEST_CASE("a prepared function names its own at each launch that names none") {
  Hooked hooked;
  const void* const one = hooked.one.shared().get();
  const kiln::TextureReference other = make_reference();
  std::optional<kiln::PreparedFunction> prepared;
  std::weak_ptr<kiln::TextureReference::Impl> kept;
  {
    const std::vector<kiln::TextureReference> texrefs = {hooked.one, make_reference()};
    kept = texrefs[1].shared();
    prepared.emplace(hooked.function.prepare("", 32, texrefs));
  }
  prepared->prepared_call(4);
  prepared->prepared_async_call(4, nullptr);
  (void)prepared->prepared_timed_call(4);
  (*prepared)({4, 64});
  kiln::LaunchConfig config{4};
  config.texrefs = other;
  (*prepared)(config);
  const std::vector<const void*> both = {one, kept.lock().get()};
  auto expected = std::vector<std::vector<const void*>>(4, both);
  expected.push_back({other.shared().get()});
  CHECK(hooked.hook->launches == expected);
}

TEST_CASE("every form of prepare takes references") {
  Hooked hooked;
  const std::vector<std::string> codes;
  hooked.function.prepare("", hooked.one).prepared_call(1, {32});
  hooked.function.prepare(codes, hooked.one).prepared_call(1, {32});
  hooked.function.prepare(codes, 32, hooked.one).prepared_call(1);
  hooked.function.prepare<>(hooked.one).prepared_call(1, {32});
  hooked.function.prepare<>(32, hooked.one).prepared_call(1);
  CHECK(hooked.hook->launches ==
        std::vector<std::vector<const void*>>(5, std::vector<const void*>{hooked.one.shared().get()}));
}

TEST_CASE("a plan keeps them itself") {
  Hooked hooked;
  kiln::LaunchPlan plan;
  std::weak_ptr<kiln::TextureReference::Impl> kept;
  const auto config_of = [&](const std::vector<kiln::TextureReference>& references) {
    kiln::LaunchConfig config{1, 1};
    config.texrefs = references;
    return config;
  };
  std::vector<const void*> expected;
  {
    const std::vector<kiln::TextureReference> given = {make_reference(), make_reference()};
    kept = given[0].shared();
    expected = {given[0].shared().get(), given[1].shared().get()};
    plan.add(hooked.function, config_of(given));
  }
  for (int i = 0; i < 20; ++i) plan.add(hooked.function, {1, 1});
  plan(nullptr);
  REQUIRE_FALSE(kept.expired());
  CHECK(hooked.hook->launches.at(0) == expected);
  CHECK(hooked.hook->launches.at(1).empty());
  {
    const std::vector<kiln::TextureReference> given = {make_reference()};
    expected = {given[0].shared().get()};
    plan.set_config(0, config_of(given));
  }
  CHECK(kept.expired());
  hooked.hook->launches.clear();
  plan(nullptr);
  CHECK(hooked.hook->launches.at(0) == expected);
}

TEST_CASE("a plan refuses those of another module, and calls a hook that comes later") {
  Hooked hooked;
  const auto plain = hooked.module.kernel("empty");
  kiln::LaunchPlan plan;
  for (int i = 0; i < 2; ++i) plan.add(kiln::Function(kiln::passkey, plain), {1, 1});
  kiln::LaunchConfig config{1, 1};
  config.texrefs = hooked.one;
  plan.set_config(0, config);
  CHECK_THROWS_AS(plan(nullptr), kiln::ArgumentError);
  plan.set_config(0, {1, 1});
  plan(nullptr);
  fake_cuda::reset();
  plan(nullptr);
  CHECK(fake_cuda::calls("cuGraphLaunch") == 1);
  plain->set_hook(hooked.hook);
  plan(nullptr);
  CHECK(hooked.hook->launches.size() == 2);
}

}  // namespace texrefs_of_launch_test
