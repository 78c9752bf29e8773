#pragma once
// Random numbers in device code. cuRAND Library, "Device API". All generators are Philox, so the
// numbers differ from those of a GPU. Accesses to the generator's state are not recorded.
#define CURAND_KERNEL_H_
#include "cuda_runtime.h"
#include "curand.h"
#include "tilereel/philox.h"

struct curandStateXORWOW : tilereel::runtime::RandomSequence {};
struct curandStatePhilox4_32_10 : tilereel::runtime::RandomSequence {};
struct curandStateMRG32k3a : tilereel::runtime::RandomSequence {};
typedef curandStateXORWOW curandState;
typedef curandStateXORWOW curandState_t;
typedef curandStateXORWOW curandStateXORWOW_t;
typedef curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;
typedef curandStateMRG32k3a curandStateMRG32k3a_t;

template <class State>
void curand_init(unsigned long long seed, unsigned long long subsequence, unsigned long long offset,
                 State* state) {
    state->start(seed, subsequence, offset);
}
template <class State>
void skipahead(unsigned long long n, State* state) {
    state->start(state->seed, state->sequence, state->position + n);
}
#define TILEREEL_RANDOM(T, name, expression) \
    template <class State>                   \
    T name(State* state) {                   \
        return expression;                   \
    }
TILEREEL_RANDOM(unsigned, curand, state->next())
TILEREEL_RANDOM(float, curand_uniform, state->next_float())
TILEREEL_RANDOM(double, curand_uniform_double, state->next_double())
TILEREEL_RANDOM(float, curand_normal, state->next_normal())
TILEREEL_RANDOM(double, curand_normal_double, state->next_normal_double())
#undef TILEREEL_RANDOM
template <class State>
float curand_log_normal(State* state, float mean, float deviation) {
    return std::exp(mean + deviation * state->next_normal());
}
template <class State>
float2 curand_normal2(State* state) {
    const float x = state->next_normal();
    return float2{x, state->next_normal()};
}
#define TILEREEL_RANDOM_4(T, name, next)                                    \
    template <class State>                                                  \
    T name(State* state) {                                                  \
        const auto x = state->next(), y = state->next(), z = state->next(); \
        return T{x, y, z, state->next()};                                   \
    }
TILEREEL_RANDOM_4(uint4, curand4, next)
TILEREEL_RANDOM_4(float4, curand_uniform4, next_float)
TILEREEL_RANDOM_4(float4, curand_normal4, next_normal)
#undef TILEREEL_RANDOM_4
