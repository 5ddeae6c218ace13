// What libcu++ of CUDA 12 reads where __linux__ is defined; of glibc's macros there is none.
