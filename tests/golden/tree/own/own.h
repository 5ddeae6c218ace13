// The header of its own that the golden manifest depends on.
#define OWN 1
