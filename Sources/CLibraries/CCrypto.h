#ifndef STACKBENCH_CCRYPTO_H
#define STACKBENCH_CCRYPTO_H
#include <openssl/evp.h>
#endif
