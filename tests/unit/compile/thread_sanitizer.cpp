// ThreadSanitizer asks this. Its detector of deadlocks ends a process that holds 64 locks at once, and fork takes all
// of Kiln's: some for each cache folder, of which the test cases make many.
// NOLINTNEXTLINE(bugprone-reserved-identifier,readability-identifier-naming): ThreadSanitizer's name
extern "C" const char* __tsan_default_options() { return "detect_deadlocks=0"; }
