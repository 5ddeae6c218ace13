// What the headers that nvcc itself includes declare in std before every source, beyond kiln_legacy.h.
#ifndef KILN_LEGACY_STD_H
#define KILN_LEGACY_STD_H

#include <algorithm>
#include <initializer_list>
#include <limits>
#include <type_traits>
#include <utility>

#endif
