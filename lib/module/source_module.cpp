#include <kiln/source_module.hpp>
