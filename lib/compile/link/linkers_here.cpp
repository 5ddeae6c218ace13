#include "compile/link/linkers_here.hpp"

#include "base/library_version.hpp"
#include "compile/nvjitlink/link_outcome.hpp"
#include "toolkit/driver/driver_result.hpp"
#include "toolkit/locate/component_finder.hpp"
#include "toolkit/locate/library_identity.hpp"

#include <kiln/error.hpp>

#include <charconv>

namespace kiln {

namespace {

constexpr std::string_view nvjitlink_prefix = "nvjitlink:";
constexpr std::string_view driver_prefix = "driver:";

/// "libnvJitLink.so.13.0.88": nothing where no number is behind ".so.".
std::optional<Version> version_in_name(const std::string& path) {
  constexpr int newest_minor = 99;
  const std::size_t mark = path.rfind(".so.");
  if (mark == std::string::npos) return std::nullopt;
  const char* const end = path.data() + path.size();
  Version version{0, newest_minor};
  const auto major = std::from_chars(path.data() + mark + 4, end, version.first);
  if (major.ec != std::errc()) return std::nullopt;
  if (major.ptr != end && *major.ptr == '.') std::from_chars(major.ptr + 1, end, version.second);
  return version;
}

}  // namespace

LinkersHere::LinkersHere() : nvjitlink_(find_nvjitlink()) {
  if (nvjitlink_) return;
  try {
    nvjitlink_ = require_nvjitlink();
  } catch (const ToolkitError& error) {
    why_no_nvjitlink_ = error.what();
    searched_ = error.searched();
  }
}

LinkersHere::LinkersHere(std::optional<std::string> nvjitlink, std::string why_none)
    : nvjitlink_(std::move(nvjitlink)), why_no_nvjitlink_(std::move(why_none)) {}

LinkerHere LinkersHere::missing_nvjitlink() const { return {std::nullopt, why_no_nvjitlink_}; }

LinkerHere LinkersHere::nvjitlink_by_its_file() const {
  if (!nvjitlink_) return missing_nvjitlink();
  if (const auto version = version_in_name(*nvjitlink_)) return {version, {}};
  return nvjitlink();
}

LinkerHere LinkersHere::nvjitlink() const {
  if (!nvjitlink_) return missing_nvjitlink();
  try {
    return {version_of_nvjitlink(), {}};
  } catch (const ToolkitError& error) {
    return {std::nullopt, error.what()};
  }
}

LinkerHere LinkersHere::driver_in_use() const {
  const Driver* const driver = Driver::if_open();
  return driver != nullptr ? LinkerHere{driver_version(*driver), {}} : LinkerHere();
}

LinkerHere LinkersHere::driver() const {
  try {
    const Driver& driver = Driver::get();
    int devices = 0;
    check_driver(driver.device_get_count(&devices), "cuDeviceGetCount");
    if (devices == 0) return {std::nullopt, "it has no device"};
    return {driver_version(driver), {}};
  } catch (const Error& error) {
    return {std::nullopt, error.what()};
  }
}

LinkerIdentity LinkersHere::identity_of_nvjitlink() const {
  return {Backend::nvjitlink, std::string(nvjitlink_prefix) + library_identity(FileSystem::real(), *nvjitlink_)};
}

LinkerIdentity LinkersHere::identity_of_driver() const {
  const Driver& driver = Driver::get();
  // What one makes that takes PTX only is PTX.
  const char* const kind = driver.loads_cubin ? "" : "+ptx";
  return {Backend::driver, std::string(driver_prefix) + version_text(driver_version(driver)) + kind};
}

}  // namespace kiln
