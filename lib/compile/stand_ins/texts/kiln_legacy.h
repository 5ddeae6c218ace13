// What the headers that nvcc itself includes declare before every source.
#ifndef KILN_LEGACY_H
#define KILN_LEGACY_H

#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#endif
