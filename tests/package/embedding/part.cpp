#include "run_embedded.hpp"

int number_of_part() { return written_by(kiln::embedded("part.cu")); }
