// size_t, ptrdiff_t and NULL are NVRTC's own.
#ifndef KILN_STAND_IN_STDDEF_H
#define KILN_STAND_IN_STDDEF_H

#ifndef offsetof
#define offsetof(type, member) ((size_t)__INTADDR__(&(((type*)0)->member)))
#endif

typedef decltype(nullptr) nullptr_t;

typedef struct {
  alignas(long long) long long kiln_integer;
  alignas(long double) long double kiln_number;
} max_align_t;

#endif
