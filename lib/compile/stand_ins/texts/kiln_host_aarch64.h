// Likewise, of a host of that architecture.
#define __AARCH64EL__ 1
#define __WCHAR_MAX__ 0xffffffffU
#define __WCHAR_MIN__ 0U
#define __WCHAR_TYPE__ unsigned int
#define __WCHAR_WIDTH__ 32
#define __aarch64__ 1
