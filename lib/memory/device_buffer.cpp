#include <kiln/device_buffer.hpp>
