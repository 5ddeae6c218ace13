// Makes one precompiled header.
#pragma once

#include "worker/pch/pch_maker.hpp"

namespace kiln {

/// Whether its folder can be written and has room, and nobody makes it at present, as far as a look at the lock tells.
bool can_be_made(const PchOrder& order);

/// Has NVRTC make it, and publishes it with the record of what that asked for; or, where it is not worth a file, a
/// record that says why. Nothing where another process makes or has made it, or where it is not known what it depends
/// on. In a process of its own, as the recording of another compile must not go on in this one. May throw.
void make_pch(const PchOrder& order);

}  // namespace kiln
