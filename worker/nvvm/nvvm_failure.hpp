// Why a compile of NVVM IR fails, in words that say what to do.
#pragma once

#include "compile/nvvm/nvvm_ir.hpp"
#include "compile/options/arch.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace kiln {

/// What is wrong with the IR as far as its text or its bitcode shows without libnvvm, some versions of which crash on
/// it: another kind of code, no layout, another machine's triple. Nothing where nothing is.
std::optional<std::string> problem_of(std::string_view ir, const IrFacts& facts);

/// What libnvvm's log means, and what to do; empty where the log says it itself. `arch` is what was compiled for, and
/// `ir_version` ("2.0") what the library reads.
std::string advice_for(const std::string& log, const IrFacts& facts, const Arch& arch, const std::string& ir_version);

}  // namespace kiln
