// The header of a package that the golden manifest depends on.
#define PACKAGE 1
