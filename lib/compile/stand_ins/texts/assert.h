// assert is NVRTC's own, and follows NDEBUG where that is an option; as in C it counts anew at each #include.
#ifdef NDEBUG
#undef assert
#define assert(condition) ((void)0)
#endif
