// What is destroyed with a context.
#pragma once

namespace kiln::emulator {

class Context;

/// Destroys streams, events, modules and memory of a context, whose work must be done.
void release_owned(Context& context);

}  // namespace kiln::emulator
