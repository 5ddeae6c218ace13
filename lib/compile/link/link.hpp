// What other rooms use to link.
#pragma once

#include "compile/link/linkers_here.hpp"
#include "compile/nvjitlink/link_input.hpp"

#include <kiln/code_object.hpp>
#include <kiln/linker.hpp>

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace kiln {

/// Inputs and options of a link: a plain value, copies of which share the inputs.
struct LinkJob {
  LinkOptions options;
  LinkInputs inputs;

  /// As Linker's functions of these names.
  void add(const CodeObject& code, std::string name = {});
  /// Code of that target: a cubin, PTX or LTO-IR.
  void add_kept(KeptCode code, Target target, const std::string& name);
  bool has_kept() const;
  /// The same with the code itself of what is kept. Throws as kiln::compile.
  LinkJob with_code() const;
  void add_data(std::string_view bytes, InputType type = InputType::detect, std::string name = {});
  void add_file(const std::filesystem::path& path, InputType type = InputType::detect);
  void add_stdlib(const std::string& name);
};

/// As Linker::link, for a device of that architecture ("sm_90") where the options name none; empty: the current
/// device's where this process uses the driver already, else what KILN_ARCH says, else the newest of the inputs.
CodeObject link_for(const LinkJob& job, const std::string& device_arch = {}, const LinkersHere& here = LinkersHere());

std::string name_of(const LinkJob& job);

/// What to link for: one architecture, or several of KILN_ARCH. `device_arch` as link_for has it.
std::vector<std::string> archs_for(const LinkJob& job, const std::string& device_arch);

/// For which devices it is linked, as far as that is known; one of no name where it is not.
std::vector<std::string> devices_of(const LinkJob& job, const std::string& device_arch);

}  // namespace kiln
