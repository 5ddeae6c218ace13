// clock_t and clock are NVRTC's own.
#ifndef KILN_STAND_IN_TIME_H
#define KILN_STAND_IN_TIME_H

typedef long time_t;

#endif
