// Likewise, of a host of that architecture.
#define __WCHAR_MAX__ 0x7fffffff
#define __WCHAR_MIN__ (-0x7fffffff - 1)
#define __WCHAR_TYPE__ int
#define __WCHAR_WIDTH__ 32
#define __amd64 1
#define __amd64__ 1
#define __k8 1
#define __k8__ 1
#define __x86_64 1
#define __x86_64__ 1
