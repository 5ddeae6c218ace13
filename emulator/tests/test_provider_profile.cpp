// KILN_EMULATOR_PROFILE at the end of a process.
#include "environment_guard.hpp"
#include "run_program.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace provider_profile_test {
namespace {

using Json = nlohmann::json;

class Folder {
 public:
  Folder() : path_(std::filesystem::temp_directory_path() / ("kiln profile of " + std::to_string(::getpid()))) {
    std::filesystem::create_directory(path_);
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

kiln::test::ProgramResult run(const std::string& profile, const std::vector<std::string>& arguments = {}) {
  kiln::test::EnvironmentGuard guard({{"KILN_EMULATOR_PROFILE", profile}});
  return kiln::test::run_program(KILN_PROVIDER_PROFILE_PROGRAM, arguments);
}

}  // namespace

TEST_CASE("a profile is written at the end of the process, once, after the module is gone") {
  const Folder folder;
  const kiln::test::ProgramResult result = run((folder.path() / "report.json").string());
  CHECK(result.status == 0);
  CHECK(result.output.empty());
  CHECK(std::distance(std::filesystem::directory_iterator(folder.path()), {}) == 1);
  std::ifstream file(folder.path() / "report.json");
  const Json json = Json::parse(file);
  REQUIRE(json.at("launches").size() == 1);
  CHECK(json["launches"][0]["launches"] == 2);
  CHECK(json["launches"][0]["totals"]["global_store_requests"] == 4);
  CHECK(json["launches"][0]["totals"]["global_store_sectors"] == 4);
}

TEST_CASE("a name that ends with .html gets a page with the same JSON in it") {
  const Folder folder;
  CHECK(run((folder.path() / "report.html").string()).status == 0);
  std::ifstream file(folder.path() / "report.html");
  const std::string page(std::istreambuf_iterator<char>(file), {});
  CHECK(page.find("<!DOCTYPE html>") == 0);
  CHECK(page.find("\"format\":\"kiln-emulator-profile\"") != page.npos);
}

TEST_CASE("a profile of a program that aborts after a failed launch") {
  const Folder folder;
  CHECK(run((folder.path() / "report.json").string(), {"fail"}).status == 128 + SIGABRT);
  std::ifstream file(folder.path() / "report.json");
  CHECK(Json::parse(file)["launches"].at(0)["failed"] == 1);
}

TEST_CASE("a profile in the terminal") {
  const kiln::test::ProgramResult result = run("-");
  CHECK(result.status == 0);
  CHECK(result.output.find("profile of fill, grid (2,1,1), block (32,1,1), 2 launches\n") == 0);
}

TEST_CASE("a profile that cannot be written is reported") {
  const kiln::test::ProgramResult result = run("/nowhere/report.json");
  CHECK(result.status == 0);
  CHECK(result.output.find("KILN_EMULATOR_PROFILE: cannot write /nowhere/report.json: No such file") !=
        std::string::npos);
}

TEST_CASE("without the variable there is no report") { CHECK(run("").output.empty()); }

}  // namespace provider_profile_test
