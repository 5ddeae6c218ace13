// printf is NVRTC's own.
#ifndef KILN_STAND_IN_STDIO_H
#define KILN_STAND_IN_STDIO_H

#define EOF (-1)

#endif
