// cuRAND's host API.
#include "curand.h"
#include "instrumentation/cuda/include/tilereel/philox.h"
#include "instrumentation/cuda/runtime/program_state.h"
#include "instrumentation/cuda/runtime/simulated_memory.h"

struct curandGenerator_st {
    tilereel::runtime::RandomSequence numbers{};
    unsigned long long offset = 0;  // in the sequence; each generated number advances it
    bool host = false;
};

namespace tilereel::runtime {
namespace {

curandStatus_t make(curandGenerator_t* generator, curandRngType_t type, bool host) {
    if (type >= CURAND_RNG_QUASI_DEFAULT) {
        send_finding(RecordedFindingKind::kUnsupported,
                     "The program asks cuRAND for quasirandom numbers.",
                     "Tilereel supports pseudorandom numbers only: use CURAND_RNG_PSEUDO_DEFAULT.");
        return CURAND_STATUS_TYPE_ERROR;
    }
    *generator = new curandGenerator_st;
    (*generator)->host = host;
    (*generator)->numbers.start(0, 0, 0);
    return CURAND_STATUS_SUCCESS;
}

template <class T, class Next>
curandStatus_t generate(curandGenerator_t generator, T* to, std::size_t count, Next&& next) {
    if (generator == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
    if (sticky_error() != cudaSuccess) return CURAND_STATUS_PREEXISTING_FAILURE;
    const auto address = reinterpret_cast<std::uint64_t>(to);
    const MemoryArray* const array = DeviceMemory::instance().find(address);
    if (!generator->host &&
        (array == nullptr || address - array->base + count * sizeof(T) > array->bytes)) {
        send_finding(RecordedFindingKind::kHostAccess,
                     "cuRAND is called with a pointer that is not device memory, or with more "
                     "numbers than fit the allocation.",
                     "Pass a pointer from cudaMalloc, and at most as many numbers as fit there.");
        return CURAND_STATUS_LAUNCH_FAILURE;
    }
    const OpenMemory open(MemoryUse::kCopy);
    if (array != nullptr) DeviceMemory::instance().note_written(address, count * sizeof(T));
    for (std::size_t i = 0; i < count; ++i) to[i] = next(generator->numbers);
    generator->offset += count;
    return CURAND_STATUS_SUCCESS;
}

}  // namespace
}  // namespace tilereel::runtime

using tilereel::runtime::RandomSequence;

extern "C" {

curandStatus_t curandCreateGenerator(curandGenerator_t* generator, curandRngType_t type) {
    return tilereel::runtime::make(generator, type, false);
}
curandStatus_t curandCreateGeneratorHost(curandGenerator_t* generator, curandRngType_t type) {
    return tilereel::runtime::make(generator, type, true);
}
curandStatus_t curandDestroyGenerator(curandGenerator_t generator) {
    if (generator == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
    delete generator;
    return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t generator,
                                                  unsigned long long seed) {
    if (generator == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
    // A new seed keeps the offset, as observed on an H100 with CUDA 13.
    generator->numbers.start(seed, 0, generator->offset);
    return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandSetGeneratorOffset(curandGenerator_t generator, unsigned long long offset) {
    if (generator == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
    generator->offset = offset;
    generator->numbers.start(generator->numbers.seed, 0, offset);
    return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandSetGeneratorOrdering(curandGenerator_t, curandOrdering_t) {
    return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandSetStream(curandGenerator_t, cudaStream_t) { return CURAND_STATUS_SUCCESS; }
curandStatus_t curandGenerateSeeds(curandGenerator_t) { return CURAND_STATUS_SUCCESS; }
curandStatus_t curandGetVersion(int* version) {
    *version = 10300;
    return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandGenerate(curandGenerator_t generator, unsigned* to, size_t count) {
    return tilereel::runtime::generate(generator, to, count,
                                       [](RandomSequence& numbers) { return numbers.next(); });
}
curandStatus_t curandGenerateUniform(curandGenerator_t generator, float* to, size_t count) {
    return tilereel::runtime::generate(
        generator, to, count, [](RandomSequence& numbers) { return numbers.next_float(); });
}
curandStatus_t curandGenerateUniformDouble(curandGenerator_t generator, double* to, size_t count) {
    return tilereel::runtime::generate(
        generator, to, count, [](RandomSequence& numbers) { return numbers.next_double(); });
}
curandStatus_t curandGenerateNormal(curandGenerator_t generator, float* to, size_t count,
                                    float mean, float deviation) {
    return tilereel::runtime::generate(generator, to, count, [=](RandomSequence& numbers) {
        return mean + deviation * numbers.next_normal();
    });
}
curandStatus_t curandGenerateNormalDouble(curandGenerator_t generator, double* to, size_t count,
                                          double mean, double deviation) {
    return tilereel::runtime::generate(generator, to, count, [=](RandomSequence& numbers) {
        return mean + deviation * numbers.next_normal_double();
    });
}
}
