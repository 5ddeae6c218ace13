#ifndef KILN_STAND_IN_SYS_TYPES_H
#define KILN_STAND_IN_SYS_TYPES_H

#include <stdint.h>

typedef unsigned int uint;
typedef unsigned short ushort;
typedef unsigned long ulong;
typedef unsigned char u_char;
typedef unsigned short u_short;
typedef unsigned int u_int;
typedef unsigned long u_long;
typedef uint8_t u_int8_t;
typedef uint16_t u_int16_t;
typedef uint32_t u_int32_t;
typedef uint64_t u_int64_t;
typedef long ssize_t;
typedef long off_t, off64_t, loff_t, quad_t, register_t, time_t, suseconds_t, blkcnt_t;
typedef int pid_t, key_t, clockid_t, daddr_t;
typedef unsigned int uid_t, gid_t, mode_t, id_t, useconds_t;
typedef unsigned long u_quad_t, dev_t, ino_t, fsblkcnt_t, fsfilcnt_t;
typedef char* caddr_t;

#endif
