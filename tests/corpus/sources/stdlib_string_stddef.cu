// kernel: copy
// out: unsigned
// expect: 8 12 0 5
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
struct Record { char tag; double value; };
__global__ void copy(unsigned* out, int n) {
  if (threadIdx.x != 0) return;
  Record* record = (Record*)malloc(sizeof(Record));
  if (record == NULL) return;
  memset(record, 0, sizeof *record);
  unsigned words[2] = {12, 0};
  out[0] = offsetof(Record, value);
  memcpy(out + 1, words, sizeof words);
  out[2] += record->value;
  for (int i = 3; i < n; ++i) out[i] = abs(-5);
  free(record);
}
