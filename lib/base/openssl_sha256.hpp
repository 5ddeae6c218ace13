// SHA-256 by OpenSSL's own code, in the program itself (sha256_object.sh). The functions of libcrypto's first layer:
// the first digest by EVP loads providers and a configuration, which takes 0.5 to 2 ms. Nothing of the C++ library, as
// record_question.cpp says.
#pragma once

// These are deprecated, and supported in every OpenSSL 3.
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/sha.h>

#include <cstddef>

extern "C" {
#pragma GCC visibility push(hidden)
int kiln_SHA256_Init(SHA256_CTX* context);
int kiln_SHA256_Update(SHA256_CTX* context, const void* bytes, std::size_t size);
int kiln_SHA256_Final(unsigned char* digest, SHA256_CTX* context);
/// Looks which instructions the CPU has, once; it takes 9 us in a virtual machine. Before, and in other threads until
/// it is done, SHA-256 goes by the instructions that all CPUs have, four times as slowly.
void kiln_OPENSSL_cpuid_setup();
#pragma GCC visibility pop
}
