#include "compile/link/link_rule.hpp"

#include "base/library_version.hpp"
#include "compile/options/target_name.hpp"

#include <algorithm>
#include <array>

namespace kiln {

namespace {

bool has_newer_ptx(const LinkNeeds& needs, const Version& linker) {
  return needs.ptx && *needs.ptx > newest_ptx(linker);
}

std::string newer_ptx_text(const LinkNeeds& needs, const Version& linker) {
  return needs.newest_ptx_input + " is PTX " + version_text(*needs.ptx) + " of a newer toolkit; this takes PTX up to " +
         version_text(newest_ptx(linker));
}

/// Why the driver's linker cannot do it, in words; empty where it can.
std::string obstacle_of_driver(const LinkNeeds& needs, const LinkerHere& driver) {
  if (!driver.version) return driver.why_not;
  if (!needs.not_ptx.empty())
    return needs.not_ptx + ", and " + needs.driver_name +
           " takes PTX only: compile it to relocatable PTX (target ptx, option -rdc=true), or all of them to LTO-IR "
           "(target ltoir)";
  if (needs.target != Target::cubin) return "it makes cubins only, and the target is " + target_name(needs.target);
  if (needs.lto) return "link-time optimisation needs nvJitLink";
  if (!needs.nvjitlink_only.empty()) {
    std::string names;
    for (const std::string& name : needs.nvjitlink_only) names += (names.empty() ? "" : ", ") + name;
    return "only nvJitLink has LinkOptions::" + names;
  }
  // One that takes PTX only reads what it knows of a newer one.
  if (!needs.ptx_driver && has_newer_ptx(needs, *driver.version)) return newer_ptx_text(needs, *driver.version);
  return {};
}

std::string name_of(const char* linker, const LinkerHere& here) {
  if (!here.version) return linker;
  constexpr int any_minor = 99;  // of a version that is known by the file's name only (linkers_here.cpp)
  const bool is_known = here.version->second != any_minor;
  return linker + (" of CUDA " + (is_known ? version_text(*here.version) : std::to_string(here.version->first)));
}

LinkChoice neither(const std::vector<std::string>& reasons) {
  LinkChoice choice;
  for (const std::string& reason : reasons) choice.why += "\n  " + reason;
  return choice;
}

}  // namespace

Version newest_ptx(const Version& cuda) {
  // By minor versions of CUDA 12; before, they were those of PTX 7, and from 13 on they are those of PTX 9 and so on.
  constexpr std::array<int, 10> minors_of_12 = {0, 1, 2, 3, 4, 5, 5, 6, 7, 8};
  if (cuda.first != 12) return {cuda.first - 4, cuda.second};
  return {8, minors_of_12[static_cast<std::size_t>(std::clamp(cuda.second, 0, 9))]};
}

std::string obstacle_of_nvjitlink(const LinkNeeds& needs, const LinkerHere& nvjitlink) {
  constexpr Version oldest{12, 3};
  constexpr Version first_with_ltoir{13, 3};
  if (!nvjitlink.version) return nvjitlink.why_not;
  const Version& version = *nvjitlink.version;
  if (version < oldest) return "it is older than " + version_text(oldest);
  if (needs.target == Target::ltoir && version < first_with_ltoir)
    return "target ltoir needs nvJitLink " + version_text(first_with_ltoir);
  if (needs.ptx_driver) return needs.driver_name + " takes PTX only, which nvJitLink makes of LTO-IR alone";
  if (has_newer_ptx(needs, version)) return newer_ptx_text(needs, version);
  return {};
}

LinkChoice choose_linker(const LinkNeeds& needs, const LinkerHere& nvjitlink, const LinkerHere& driver) {
  const std::string nvjitlink_name = name_of("nvJitLink", nvjitlink);
  const std::string driver_name = name_of("the driver", driver);
  const std::string no_nvjitlink = obstacle_of_nvjitlink(needs, nvjitlink);
  const std::string no_driver = obstacle_of_driver(needs, driver);
  const std::string asked_for = ", as LinkOptions::backend asks for";
  if (needs.backend == Backend::nvjitlink)
    return no_nvjitlink.empty() ? LinkChoice{Backend::nvjitlink, nvjitlink_name + asked_for}
                                : neither({nvjitlink_name + asked_for + ": " + no_nvjitlink});
  const bool driver_can = driver.version && no_driver.empty();
  if (needs.backend == Backend::driver)
    return driver_can ? LinkChoice{Backend::driver, driver_name + asked_for}
                      : neither({driver_name + asked_for + ": " + no_driver});
  if (!no_nvjitlink.empty())
    return driver_can ? LinkChoice{Backend::driver, driver_name + ", because of nvJitLink: " + no_nvjitlink}
                      : neither({nvjitlink_name + ": " + no_nvjitlink, driver_name + ": " + no_driver});
  const bool is_newer = driver.version && nvjitlink.version->first > driver.version->first;
  if (is_newer && driver_can)
    return {Backend::driver, driver_name + ", which may not load what the newer " + nvjitlink_name + " makes"};
  if (is_newer)
    return {Backend::nvjitlink, nvjitlink_name + ", though " + driver_name +
                                    " may not load its code, because the driver's linker cannot do it: " + no_driver};
  return {Backend::nvjitlink, nvjitlink_name};
}

}  // namespace kiln
