// The libraries that compile NVVM IR on this machine, as keys name them.
#pragma once

#include "cache/cache_folder.hpp"
#include "compile/nvvm/nvvm_request.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace kiln {

/// Who makes cubins of PTX on this machine: nvJitLink, or the driver where there is none.
Backend ir_linker();

/// The identity in the key of this request on this machine: the contents of libnvvm, of libdevice and the linker where
/// they are needed. None of these is opened. Nothing where one is missing. Digests may be kept in `cache`.
std::optional<std::string> ir_maker_here(const IrRequest& request, CacheFolder* cache);

/// Whether it is such a maker, of any machine.
bool is_ir_maker(std::string_view maker);

}  // namespace kiln
