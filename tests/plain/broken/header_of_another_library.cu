// says: cublasLt.h is not supported: Tilereel has no cuBLASLt; use cublasGemmEx of cublas_v2.h instead.
// ends: not compiled
#include <cublasLt.h>
int main() {}
