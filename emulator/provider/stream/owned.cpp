#include "emulator/provider/context/context.hpp"

#include "emulator/provider/code/function.hpp"
#include "emulator/provider/context/memory.hpp"
#include "emulator/provider/context/stream_state.hpp"
#include "emulator/provider/stream/event.hpp"
#include "emulator/texture/objects.hpp"

namespace kiln::emulator {

void release_owned(Context& context) {
  const auto of_context = [&](const auto& object) { return &object.context == &context; };
  for (const StreamPtr& stream : Streams::get().take_all(of_context)) destroy(*stream);
  destroy_objects_of(context);
  (void)Events::get().take_all(of_context);
  (void)Modules::get().take_all(of_context);
  for (const auto& library : Libraries::get().all()) library->drop(context);
  MemoryTable::get().release_all(context);
}

}  // namespace kiln::emulator
