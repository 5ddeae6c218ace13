// Which embedded code a device gets, and what it is shared with.
#include "base/passkey.hpp"
#include "compile/saved_code.hpp"
#include "message_of.hpp"
#include "module/embedded_code.hpp"

#include <kiln/embedded.hpp>
#include <kiln/error.hpp>

#include <doctest/doctest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace embedded_test {

using namespace kiln;

namespace {

/// The table of a program, as `kiln embed` writes it; the code is text that nobody loads.
class Program {
 public:
  explicit Program(const std::vector<std::string>& archs, std::string name = "scale.cu") : name_(std::move(name)) {
    CompileOptions options;
    options.name = name_;
    request_ = save_recipe({"a source of " + std::to_string(archs.size()), options});
    for (const std::string& arch : archs) saved_.push_back(saved(arch));
    arch_names_ = archs;
    for (std::size_t i = 0; i < archs.size(); ++i)
      codes_.push_back({arch_names_[i].c_str(), {saved_[i].data(), saved_[i].size()}});
    file_ = {name_.c_str(), {request_.data(), request_.size()}, codes_.data(), codes_.size()};
    table_ = {&file_};
  }
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  EmbeddedSource find(std::string_view name) const {
    return detail::find_embedded(name, table_.data(), table_.data() + table_.size());
  }
  EmbeddedSource source() const { return find(name_); }
  void damage_code(std::size_t at) { saved_[at][saved_[at].size() / 2] ^= 1; }

 private:
  static std::string saved(const std::string& arch) {
    auto code = std::make_shared<CodeData>();
    code->own("code for " + arch);
    code->target = arch[0] == 's' ? Target::cubin : Target::ptx;
    code->arch = arch;
    return CodeObject(passkey, std::move(code), false).serialize();
  }

  std::string name_, request_;
  std::vector<std::string> saved_, arch_names_;
  std::vector<detail::EmbeddedCode> codes_;
  detail::EmbeddedFile file_;
  std::vector<const detail::EmbeddedFile*> table_;
};

std::string arch_for(const Program& program, const std::string& device_arch) {
  return code_of_embedded(program.source(), device_arch).arch();
}

}  // namespace

TEST_CASE("machine code of the device's family first, the newest; else the newest PTX") {
  const Program program({"compute_80", "sm_80", "sm_86", "compute_90", "sm_90", "sm_100a"});
  CHECK(arch_for(program, "sm_80") == "sm_80");
  CHECK(arch_for(program, "sm_89") == "sm_86");
  CHECK(arch_for(program, "sm_90") == "sm_90");
  CHECK(arch_for(program, "sm_100") == "sm_100a");
  CHECK(arch_for(program, "sm_103") == "compute_90");
  CHECK(arch_for(program, "sm_120") == "compute_90");
  CHECK(arch_for(program, "") == "sm_100a");  // no device: something to look at
}

TEST_CASE("what was embedded is told, and its code knows its request") {
  const Program program({"sm_80", "compute_80"});
  const EmbeddedSource source = program.source();
  CHECK(source.name() == "scale.cu");
  CHECK(source.source() == "a source of 2");
  CHECK(source.options().name == "scale.cu");
  CHECK(source.archs() == std::vector<std::string>{"sm_80", "compute_80"});
  const CodeObject code = code_of_embedded(source, "sm_80");
  CHECK(code.from_cache());
  CHECK(code.bytes() == "code for sm_80");
  CHECK(code.options().name == "scale.cu");
}

TEST_CASE("code in use is shared; that of another request is not") {
  const Program program({"sm_80"}), same({"sm_80"}), other({"sm_80", "sm_90"});
  const CodeObject code = code_of_embedded(program.source(), "sm_80");
  CHECK(code_of_embedded(program.source(), "sm_80").data() == code.data());
  CHECK(code_of_embedded(same.source(), "sm_80").data() == code.data());
  CHECK(code_of_embedded(other.source(), "sm_80").data() != code.data());
}

TEST_CASE("what a driver refused is not taken again: the next best is") {
  const Program program({"sm_90", "compute_80", "compute_90"});
  {
    const CodeObject refused = code_of_embedded(program.source(), "sm_90");
    CHECK(refused.arch() == "sm_90");
    refused.data()->discarded = true;
    CHECK(arch_for(program, "sm_90") == "compute_90");
  }
  CHECK(arch_for(program, "sm_90") == "compute_90");  // also when nobody has it any more
}

TEST_CASE("a name that is not there; nothing at all; damage") {
  Program program({"sm_80"});
  CHECK(test::message_of<Error>([&] { (void)program.find("scale.cuh"); }).find("did you mean \"scale.cu\"") !=
        std::string::npos);
  CHECK_THROWS_AS((void)program.find(""), ArgumentError);
  CHECK_THROWS_AS((void)detail::find_embedded("x", nullptr, nullptr), ArgumentError);
  CHECK_THROWS_AS((void)embedded("x"), ArgumentError);  // this program has none
  program.damage_code(0);
  CHECK(test::message_of<Error>([&] { (void)code_of_embedded(program.source(), "sm_80"); }).find("\"scale.cu\"") !=
        std::string::npos);
}

}  // namespace embedded_test
