#pragma once
// Complex numbers. CUDA Toolkit, cuComplex.h.
#define CU_COMPLEX_H_
#include "vector_types.h"

typedef float2 cuFloatComplex;
static inline float cuCrealf(cuFloatComplex x) { return x.x; }
static inline float cuCimagf(cuFloatComplex x) { return x.y; }
static inline cuFloatComplex make_cuFloatComplex(float r, float i) { return cuFloatComplex{r, i}; }
static inline cuFloatComplex cuConjf(cuFloatComplex x) { return cuFloatComplex{x.x, -x.y}; }
static inline cuFloatComplex cuCaddf(cuFloatComplex x, cuFloatComplex y) {
    return cuFloatComplex{x.x + y.x, x.y + y.y};
}
static inline cuFloatComplex cuCsubf(cuFloatComplex x, cuFloatComplex y) {
    return cuFloatComplex{x.x - y.x, x.y - y.y};
}
static inline cuFloatComplex cuCmulf(cuFloatComplex x, cuFloatComplex y) {
    return cuFloatComplex{x.x * y.x - x.y * y.y, x.x * y.y + x.y * y.x};
}
// Scaled by the larger part of the divisor, so that its square does not overflow.
static inline cuFloatComplex cuCdivf(cuFloatComplex x, cuFloatComplex y) {
    const float scale = 1 / (__builtin_fabsf(y.x) + __builtin_fabsf(y.y));
    const float a = x.x * scale, b = x.y * scale, c = y.x * scale, d = y.y * scale;
    const float inverse = 1 / (c * c + d * d);
    return cuFloatComplex{(a * c + b * d) * inverse, (b * c - a * d) * inverse};
}
static inline float cuCabsf(cuFloatComplex x) { return __builtin_hypotf(x.x, x.y); }
static inline cuFloatComplex cuCfmaf(cuFloatComplex x, cuFloatComplex y, cuFloatComplex d) {
    return cuCaddf(cuCmulf(x, y), d);
}

typedef double2 cuDoubleComplex;
static inline double cuCreal(cuDoubleComplex x) { return x.x; }
static inline double cuCimag(cuDoubleComplex x) { return x.y; }
static inline cuDoubleComplex make_cuDoubleComplex(double r, double i) {
    return cuDoubleComplex{r, i};
}
static inline cuDoubleComplex cuConj(cuDoubleComplex x) { return cuDoubleComplex{x.x, -x.y}; }
static inline cuDoubleComplex cuCadd(cuDoubleComplex x, cuDoubleComplex y) {
    return cuDoubleComplex{x.x + y.x, x.y + y.y};
}
static inline cuDoubleComplex cuCsub(cuDoubleComplex x, cuDoubleComplex y) {
    return cuDoubleComplex{x.x - y.x, x.y - y.y};
}
static inline cuDoubleComplex cuCmul(cuDoubleComplex x, cuDoubleComplex y) {
    return cuDoubleComplex{x.x * y.x - x.y * y.y, x.x * y.y + x.y * y.x};
}
// Scaled by the larger part of the divisor, so that its square does not overflow.
static inline cuDoubleComplex cuCdiv(cuDoubleComplex x, cuDoubleComplex y) {
    const double scale = 1 / (__builtin_fabs(y.x) + __builtin_fabs(y.y));
    const double a = x.x * scale, b = x.y * scale, c = y.x * scale, d = y.y * scale;
    const double inverse = 1 / (c * c + d * d);
    return cuDoubleComplex{(a * c + b * d) * inverse, (b * c - a * d) * inverse};
}
static inline double cuCabs(cuDoubleComplex x) { return __builtin_hypot(x.x, x.y); }
static inline cuDoubleComplex cuCfma(cuDoubleComplex x, cuDoubleComplex y, cuDoubleComplex d) {
    return cuCadd(cuCmul(x, y), d);
}

typedef cuFloatComplex cuComplex;
static inline cuComplex make_cuComplex(float r, float i) { return make_cuFloatComplex(r, i); }
static inline cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex x) {
    return cuDoubleComplex{x.x, x.y};
}
static inline cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex x) {
    return cuFloatComplex{float(x.x), float(x.y)};
}
