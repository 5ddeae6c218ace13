// A stand-in as an in-memory header of a request.
#pragma once

#include "compile/request/request.hpp"

#include <string>

namespace kiln {

/// Gives the request the stand-in of that name, and those that it includes; one that nvcc finds by itself is for NVRTC
/// only. False where there is none, where the request has a header of that name, or one of its folders does.
bool give_stand_in(Request& request, const std::string& name);

/// cucomplex_header, to be read before the source; false where it was already given.
bool give_cucomplex(Request& request);

/// Those that the source itself includes, but for a quoted one that lies beside it.
void give_stand_ins(Request& request);

}  // namespace kiln
