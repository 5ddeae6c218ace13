// malloc, free and abs are NVRTC's own.
#ifndef KILN_STAND_IN_STDLIB_H
#define KILN_STAND_IN_STDLIB_H

#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1
#define RAND_MAX 2147483647

typedef struct {
  int quot, rem;
} div_t;
typedef struct {
  long quot, rem;
} ldiv_t;
typedef struct {
  long long quot, rem;
} lldiv_t;

#endif
