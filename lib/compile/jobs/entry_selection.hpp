// Whether an entry is meant where only some are.
#pragma once

#include "compile/jobs/worker_job.hpp"

#include <string_view>

namespace kiln {

/// Whether code is chosen by what it was made of.
bool has_filter(const EntrySelection& selection) noexcept;
/// By the name and architecture of an entry. That of PTX ("compute_80") is that of its device (sm_80), and of several
/// ("sm_80,sm_90") one is enough.
bool is_meant(const EntrySelection& selection, std::string_view name, std::string_view arch);
/// The same of a request, by its canonical bytes.
bool is_request_meant(const EntrySelection& selection, std::string_view request);

}  // namespace kiln
