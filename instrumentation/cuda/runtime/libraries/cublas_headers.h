#pragma once
// The headers of cuBLAS for the runtime, which has numbers of 16 bits as bits.
#define TILEREEL_WITHOUT_SMALL_FLOATS
#include "cublasLt.h"
#include "cublasXt.h"
#include "cublas_v2.h"
