// The differences between two requests, in words.
#pragma once

#include "cache/history.hpp"

#include <string>
#include <vector>

namespace kiln {

/// A sentence for each difference, in the order of the fields: "the source changed", "option -DN=4 is new", "arch
/// changed from sm_80 to sm_90". Labels are used as they are. Fields of one label are compared in order. An item
/// "NAME=sha256:<hex>" of a list is a text of that name: "header util.h changed". An item "NAME=VALUE" may have
/// another value: "late define TILE changed from 2 to 4".
std::vector<std::string> describe_changes(const History::Request& before, const History::Request& now);

}  // namespace kiln
