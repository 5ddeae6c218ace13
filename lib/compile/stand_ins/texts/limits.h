#ifndef KILN_STAND_IN_LIMITS_H
#define KILN_STAND_IN_LIMITS_H

#pragma nv_diag_suppress 47

#ifndef INT_MAX
#define CHAR_BIT 8
#define SCHAR_MIN (-128)
#define SCHAR_MAX 127
#define UCHAR_MAX 255
#define CHAR_MIN SCHAR_MIN
#define CHAR_MAX SCHAR_MAX
#define SHRT_MIN (-SHRT_MAX - 1)
#define SHRT_MAX 0x7fff
#define USHRT_MAX 0xffff
#define INT_MIN (-INT_MAX - 1)
#define INT_MAX 0x7fffffff
#define UINT_MAX 0xffffffffU
#define LONG_MIN (-LONG_MAX - 1)
#define LONG_MAX 0x7fffffffffffffffL
#define ULONG_MAX 0xffffffffffffffffUL
#define LLONG_MIN (-LLONG_MAX - 1)
#define LLONG_MAX 0x7fffffffffffffffLL
#define ULLONG_MAX 0xffffffffffffffffULL
#endif
#ifndef MB_LEN_MAX
#define MB_LEN_MAX 16
#define BOOL_MAX 1
#define LONG_LONG_MIN LLONG_MIN
#define LONG_LONG_MAX LLONG_MAX
#define ULONG_LONG_MAX ULLONG_MAX
#define WORD_BIT 32
#define LONG_BIT 64
#define BOOL_WIDTH 1
#define CHAR_WIDTH 8
#define SCHAR_WIDTH 8
#define UCHAR_WIDTH 8
#define SHRT_WIDTH 16
#define USHRT_WIDTH 16
#define INT_WIDTH 32
#define UINT_WIDTH 32
#define LONG_WIDTH 64
#define ULONG_WIDTH 64
#define LLONG_WIDTH 64
#define ULLONG_WIDTH 64
#endif

#ifndef PATH_MAX  // those of the system, Linux
#define AIO_PRIO_DELTA_MAX 20
#define BC_BASE_MAX 99
#define BC_DIM_MAX 2048
#define BC_SCALE_MAX 99
#define BC_STRING_MAX 1000
#define CHARCLASS_NAME_MAX 2048
#define COLL_WEIGHTS_MAX 255
#define DELAYTIMER_MAX 2147483647
#define EXPR_NEST_MAX 32
#define HOST_NAME_MAX 64
#define IOV_MAX 1024
#define LINE_MAX 2048
#define LOGIN_NAME_MAX 256
#define MAX_CANON 255
#define MAX_INPUT 255
#define MQ_PRIO_MAX 32768
#define NAME_MAX 255
#define NGROUPS_MAX 65536
#define NL_ARGMAX 4096
#define NL_LANGMAX 2048
#define NL_MSGMAX INT_MAX
#define NL_NMAX INT_MAX
#define NL_SETMAX INT_MAX
#define NL_TEXTMAX INT_MAX
#define NZERO 20
#define PATH_MAX 4096
#define PIPE_BUF 4096
#define PTHREAD_DESTRUCTOR_ITERATIONS 4
#define PTHREAD_KEYS_MAX 1024
#define RE_DUP_MAX 0x7fff
#define RTSIG_MAX 32
#define SEM_VALUE_MAX 2147483647
#define SSIZE_MAX LONG_MAX
#define TTY_NAME_MAX 32
#define XATTR_LIST_MAX 65536
#define XATTR_NAME_MAX 255
#define XATTR_SIZE_MAX 65536
#endif

#endif
