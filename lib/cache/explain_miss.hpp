// Why a look-up missed: the requests of each source, recorded and compared.
#pragma once

#include "cache/cache_folder.hpp"
#include "cache/history.hpp"

#include <string>
#include <vector>

namespace kiln {

/// Records what a source of that name was compiled with (history.hpp). Thread-safe; a fault records nothing.
void record_request(CacheFolder& folder, const std::string& name, const std::vector<KeyField>& request);

/// What differs from the recorded request that is most like this one, in sentences; nothing where none was recorded.
/// Thread-safe; a fault explains nothing.
std::vector<std::string> explain_miss(CacheFolder& folder, const std::string& name,
                                      const std::vector<KeyField>& request);

/// A sentence for each difference, in the order of the fields: "the source changed", "option -DN=4 is new", "arch
/// changed from sm_80 to sm_90". Labels are used as they are. Fields of one label are compared in order. An item
/// "NAME=sha256:<hex>" of a list is a text of that name: "header util.h changed". An item "NAME=VALUE" may have
/// another value: "late define TILE changed from 2 to 4".
std::vector<std::string> describe_changes(const History::Request& before, const History::Request& now);

}  // namespace kiln
