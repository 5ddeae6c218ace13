// Whether an entry is meant where only some are.
#pragma once

#include "compile/jobs/worker_job.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace kiln {

/// Whether code is chosen by what it was made of.
bool has_filter(const EntrySelection& selection) noexcept;
/// By the name and architecture of an entry. That of PTX ("compute_80") is that of its device (sm_80), and of several
/// ("sm_80,sm_90") one is enough.
bool is_meant(const EntrySelection& selection, std::string_view name, std::string_view arch);
/// The same of a request, by its canonical bytes.
bool is_request_meant(const EntrySelection& selection, std::string_view request);

/// Adds one that is not meant to the few of them that a person is shown, each once: "scale.cu for sm_80", and
/// "- for sm_80" where it has no name.
void add_other(std::vector<std::string>& others, std::string_view name, std::string_view arch);

}  // namespace kiln
