// Philox4x32-10. Device code as it is compiled and, where KILN_DEVICE_CODE makes a string of it, as a source has it: so
// tests run the very code on the host. It has no include guard and no directives.
KILN_DEVICE_CODE(
    struct kiln_words { unsigned x, y, z, w; };

    __device__ inline unsigned kiln_high(unsigned a, unsigned b) {
      return (unsigned)(((unsigned long long)a * b) >> 32);
    }

    __device__ inline kiln_words kiln_philox(kiln_words counter, unsigned key_x, unsigned key_y) {
      for (int round = 0; round < 10; ++round) {
        const unsigned x = kiln_high(0xCD9E8D57u, counter.z) ^ counter.y ^ key_x;
        const unsigned z = kiln_high(0xD2511F53u, counter.x) ^ counter.w ^ key_y;
        counter = kiln_words{x, 0xCD9E8D57u * counter.z, z, 0xD2511F53u * counter.x};
        key_x += 0x9E3779B9u;
        key_y += 0xBB67AE85u;
      }
      return counter;
    }

    __device__ inline kiln_words kiln_block(unsigned long long seed, unsigned long long block) {
      return kiln_philox(kiln_words{(unsigned)block, (unsigned)(block >> 32), 0, 0}, (unsigned)seed,
                         (unsigned)(seed >> 32));
    })
