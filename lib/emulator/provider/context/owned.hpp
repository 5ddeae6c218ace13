// What a context takes with it when it goes.
#pragma once

namespace kiln::emulator {

class Context;

/// Destroys the context's streams, events, modules and memory; its work is done.
void release_owned(Context& context);

}  // namespace kiln::emulator
