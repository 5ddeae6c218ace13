// Which linker a link is for, row by row, with made-up versions.
#include "compile/link/link_rule.hpp"

#include <doctest/doctest.h>

namespace link_rule_test {

using namespace kiln;

namespace {

const LinkerHere missing{std::nullopt, "it is missing"};
const LinkerHere not_in_use{};
LinkerHere at(int major, int minor) { return {Version{major, minor}, {}}; }

LinkNeeds plain() { return {}; }
LinkNeeds with_lto() {
  LinkNeeds needs;
  needs.lto = true;
  return needs;
}
LinkNeeds to(Target target) {
  LinkNeeds needs = with_lto();
  needs.target = target;
  return needs;
}
LinkNeeds with_ptx(int major, int minor) {
  LinkNeeds needs;
  needs.ptx = Version{major, minor};
  needs.newest_ptx_input = "kernel.ptx";
  return needs;
}
LinkNeeds with_ftz() {
  LinkNeeds needs;
  needs.nvjitlink_only = {"ftz"};
  return needs;
}
LinkNeeds by(Backend backend, LinkNeeds needs) {
  needs.backend = backend;
  return needs;
}

struct Row {
  const char* what;
  LinkNeeds needs;
  LinkerHere nvjitlink;
  LinkerHere driver;
  Backend expected;
  const char* why;
};

}  // namespace

TEST_CASE("link rule: the linker of each row") {
  constexpr Backend none = Backend::automatic;
  const Row rows[] = {
      {"nvJitLink is the usual one", plain(), at(13, 0), not_in_use, Backend::nvjitlink, "nvJitLink of CUDA 13.0"},
      {"also beside a driver of its major version", plain(), at(13, 1), at(13, 0), Backend::nvjitlink, "nvJitLink"},
      {"and beside a newer driver", plain(), at(12, 4), at(13, 0), Backend::nvjitlink, "nvJitLink"},
      {"missing: the driver", plain(), missing, at(13, 0), Backend::driver, "it is missing"},
      {"missing, and no driver", plain(), missing, missing, none, "it is missing"},
      {"the oldest that is taken", plain(), at(12, 3), at(12, 3), Backend::nvjitlink, "12.3"},
      {"older: the driver", plain(), at(12, 2), at(13, 0), Backend::driver, "older than 12.3"},
      {"older, and no driver", plain(), at(12, 0), missing, none, "older than 12.3"},
      {"link-time optimisation", with_lto(), at(12, 4), at(13, 0), Backend::nvjitlink, "nvJitLink"},
      {"link-time optimisation without nvJitLink", with_lto(), missing, at(13, 0), none,
       "link-time optimisation needs nvJitLink"},
      {"PTX out", to(Target::ptx), at(13, 0), not_in_use, Backend::nvjitlink, "nvJitLink"},
      {"PTX out by the driver", to(Target::ptx), missing, at(13, 0), none, "the target is ptx"},
      {"LTO-IR out", to(Target::ltoir), at(13, 3), not_in_use, Backend::nvjitlink, "nvJitLink"},
      {"LTO-IR out before 13.3", to(Target::ltoir), at(13, 2), at(13, 3), none, "needs nvJitLink 13.3"},
      {"PTX as new as nvJitLink", with_ptx(9, 0), at(13, 0), not_in_use, Backend::nvjitlink, "nvJitLink"},
      {"newer PTX: the driver", with_ptx(9, 1), at(13, 0), at(13, 1), Backend::driver, "kernel.ptx is PTX 9.1"},
      {"newer PTX than both", with_ptx(9, 2), at(13, 0), at(13, 1), none, "PTX up to 9.1"},
      {"PTX as new as an old driver", with_ptx(8, 4), missing, at(12, 4), Backend::driver, "driver of CUDA 12.4"},
      {"PTX newer than an old driver", with_ptx(8, 5), missing, at(12, 4), none, "PTX up to 8.4"},
      {"a newer toolkit's nvJitLink: the driver", plain(), at(13, 0), at(12, 4), Backend::driver, "may not load"},
      {"the same for link-time optimisation", with_lto(), at(13, 0), at(12, 4), Backend::nvjitlink, "may not load"},
      {"the same for PTX too new for the driver", with_ptx(9, 0), at(13, 0), at(12, 4), Backend::nvjitlink,
       "may not load"},
      {"options of nvJitLink's", with_ftz(), at(13, 0), at(13, 0), Backend::nvjitlink, "nvJitLink"},
      {"options that the driver lacks", with_ftz(), missing, at(13, 0), none, "only nvJitLink has LinkOptions::ftz"},
      {"nvJitLink asked for", by(Backend::nvjitlink, plain()), at(13, 0), at(12, 4), Backend::nvjitlink, "asks for"},
      {"nvJitLink asked for, missing", by(Backend::nvjitlink, plain()), missing, at(13, 0), none, "it is missing"},
      {"the driver asked for", by(Backend::driver, plain()), at(13, 0), at(13, 0), Backend::driver, "asks for"},
      {"the driver asked for, missing", by(Backend::driver, plain()), at(13, 0), missing, none, "it is missing"},
      {"the driver asked for, with LTO", by(Backend::driver, with_lto()), at(13, 0), at(13, 0), none,
       "link-time optimisation needs nvJitLink"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.what);
    const LinkChoice choice = choose_linker(row.needs, row.nvjitlink, row.driver);
    CHECK(choice.backend == row.expected);
    CHECK_MESSAGE(choice.why.find(row.why) != std::string::npos, choice.why);
  }
}

TEST_CASE("link rule: the PTX that each version takes") {
  CHECK(newest_ptx({12, 3}) == Version{8, 3});
  CHECK(newest_ptx({12, 5}) == Version{8, 5});
  CHECK(newest_ptx({12, 6}) == Version{8, 5});
  CHECK(newest_ptx({12, 8}) == Version{8, 7});
  CHECK(newest_ptx({12, 9}) == Version{8, 8});
  CHECK(newest_ptx({13, 0}) == Version{9, 0});
  CHECK(newest_ptx({13, 1}) == Version{9, 1});
}

}  // namespace link_rule_test
