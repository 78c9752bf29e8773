// The functions of the CUDA runtime API for the device: properties, attributes, occupancy, errors.
#include <cstdio>
#include <cstring>
#include <map>

#include "cuda_runtime_api.h"
#include "instrumentation/analysis/generations/occupancy.h"
#include "instrumentation/cuda/runtime/api.h"
#include "instrumentation/cuda/runtime/host_timing.h"
#include "instrumentation/cuda/runtime/program_state.h"
#include "instrumentation/cuda/runtime/running_kernel.h"

namespace tilereel::runtime {

const Generation& generation_chosen() {
    const Generation* const found = find_generation(options().generation);
    return found != nullptr ? *found : default_generation();
}

const DeviceLimits& limits_chosen() { return generation_chosen().limits; }

int multiprocessors_chosen() { return generation_chosen().multiprocessors; }

std::uint64_t memory_capacity_bytes() { return std::uint64_t{16} << 30; }

namespace {

struct ComputeCapability {
    int major, minor;
};
ComputeCapability compute_capability() {
    ComputeCapability found{9, 0};
    std::sscanf(options().generation.c_str(), "%d.%d", &found.major, &found.minor);
    return found;
}

int attribute(cudaDeviceAttr wanted) {
    const DeviceLimits& limits = limits_chosen();
    switch (wanted) {
        case cudaDevAttrMaxThreadsPerBlock:
            return limits.threads_per_block;
        case cudaDevAttrMaxBlockDimX:
        case cudaDevAttrMaxBlockDimY:
            return limits.threads_per_block;
        case cudaDevAttrMaxBlockDimZ:
            return 64;
        case cudaDevAttrMaxGridDimX:
            return 0x7fffffff;
        case cudaDevAttrMaxGridDimY:
        case cudaDevAttrMaxGridDimZ:
            return 65535;
        case cudaDevAttrMaxSharedMemoryPerBlock:
            return limits.default_shared_bytes_per_block;
        case cudaDevAttrMaxSharedMemoryPerBlockOptin:
            return limits.shared_bytes_per_block;
        case cudaDevAttrMaxSharedMemoryPerMultiprocessor:
            return limits.shared_bytes;
        case cudaDevAttrReservedSharedMemoryPerBlock:
            return limits.shared_reserved_bytes;
        case cudaDevAttrTotalConstantMemory:
            return 65536;
        case cudaDevAttrWarpSize:
            return 32;
        case cudaDevAttrMaxPitch:
            return 0x7fffffff;
        case cudaDevAttrMaxRegistersPerBlock:
            return limits.registers_per_block;
        case cudaDevAttrMaxRegistersPerMultiprocessor:
            return limits.registers;
        case cudaDevAttrClockRate:
            return kClockKilohertz;
        case cudaDevAttrMemoryClockRate:
            return 2000000;
        case cudaDevAttrGlobalMemoryBusWidth:
            return 5120;
        case cudaDevAttrL2CacheSize:
            return 50 << 20;
        case cudaDevAttrMaxPersistingL2CacheSize:
        case cudaDevAttrMaxAccessPolicyWindowSize:
            return compute_capability().major >= 8 ? 30 << 20 : 0;
        case cudaDevAttrTextureAlignment:
            return 512;
        case cudaDevAttrMultiProcessorCount:
            return multiprocessors_chosen();
        case cudaDevAttrMaxThreadsPerMultiProcessor:
            return limits.threads();
        case cudaDevAttrMaxBlocksPerMultiprocessor:
            return limits.blocks;
        case cudaDevAttrComputeCapabilityMajor:
            return compute_capability().major;
        case cudaDevAttrComputeCapabilityMinor:
            return compute_capability().minor;
        case cudaDevAttrAsyncEngineCount:
            return 2;
        case cudaDevAttrSingleToDoublePrecisionPerfRatio:
            return 2;
        case cudaDevAttrGpuOverlap:
        case cudaDevAttrCanMapHostMemory:
        case cudaDevAttrConcurrentKernels:
        case cudaDevAttrUnifiedAddressing:
        case cudaDevAttrStreamPrioritiesSupported:
        case cudaDevAttrGlobalL1CacheSupported:
        case cudaDevAttrLocalL1CacheSupported:
        case cudaDevAttrManagedMemory:
        case cudaDevAttrConcurrentManagedAccess:
        case cudaDevAttrComputePreemptionSupported:
        case cudaDevAttrMemoryPoolsSupported:
        case cudaDevAttrCooperativeLaunch:
            return 1;
        case cudaDevAttrClusterLaunch:
            return compute_capability().major >= 9;
        default:
            return 0;
    }
}

void fill(cudaDeviceProp& p) {
    p = {};
    const DeviceLimits& limits = limits_chosen();
    std::snprintf(p.name, sizeof p.name, "Tilereel, as %s",
                  std::string(generation_chosen().title).c_str());
    p.totalGlobalMem = memory_capacity_bytes();
    p.sharedMemPerBlock = static_cast<size_t>(limits.default_shared_bytes_per_block);
    p.sharedMemPerBlockOptin = static_cast<size_t>(limits.shared_bytes_per_block);
    p.sharedMemPerMultiprocessor = static_cast<size_t>(limits.shared_bytes);
    p.reservedSharedMemPerBlock = static_cast<size_t>(limits.shared_reserved_bytes);
    p.totalConstMem = 65536;
    p.memPitch = 0x7fffffff;
    p.textureAlignment = 512;
    p.texturePitchAlignment = 32;
    p.surfaceAlignment = 512;
    p.regsPerBlock = limits.registers_per_block;
    p.regsPerMultiprocessor = limits.registers;
    p.warpSize = 32;
    p.maxThreadsPerBlock = limits.threads_per_block;
    p.maxThreadsDim[0] = p.maxThreadsDim[1] = limits.threads_per_block;
    p.maxThreadsDim[2] = 64;
    p.maxGridSize[0] = 0x7fffffff;
    p.maxGridSize[1] = p.maxGridSize[2] = 65535;
    p.maxThreadsPerMultiProcessor = limits.threads();
    p.maxBlocksPerMultiProcessor = limits.blocks;
    p.clockRate = attribute(cudaDevAttrClockRate);
    p.memoryClockRate = attribute(cudaDevAttrMemoryClockRate);
    p.memoryBusWidth = attribute(cudaDevAttrGlobalMemoryBusWidth);
    p.l2CacheSize = attribute(cudaDevAttrL2CacheSize);
    p.persistingL2CacheMaxSize = attribute(cudaDevAttrMaxPersistingL2CacheSize);
    p.accessPolicyMaxWindowSize = attribute(cudaDevAttrMaxAccessPolicyWindowSize);
    p.major = compute_capability().major;
    p.minor = compute_capability().minor;
    p.multiProcessorCount = multiprocessors_chosen();
    p.deviceOverlap = p.canMapHostMemory = p.concurrentKernels = p.unifiedAddressing = 1;
    p.asyncEngineCount = 2;
    p.streamPrioritiesSupported = p.globalL1CacheSupported = p.localL1CacheSupported = 1;
    p.managedMemory = p.concurrentManagedAccess = p.computePreemptionSupported = 1;
    p.cooperativeLaunch = p.memoryPoolsSupported = p.hostRegisterSupported = 1;
    p.clusterLaunch = attribute(cudaDevAttrClusterLaunch);
    p.singleToDoublePrecisionPerfRatio = 2;
}

std::map<cudaLimit, size_t>& limits_set() {
    static auto& limits = *new std::map<cudaLimit, size_t>;
    return limits;
}

// The state of the kernel, with the size of its static shared memory even before its first launch.
KernelState& known_state(const void* kernel) {
    find_static_shared(kernel);
    return state_of_kernel(kernel);
}

}  // namespace

}  // namespace tilereel::runtime

using namespace tilereel::runtime;

extern "C" {

cudaError_t cudaSetDevice(int device) {
    return device == 0 ? cudaSuccess : set_error(cudaErrorInvalidDevice);
}
cudaError_t cudaGetDevice(int* device) {
    *device = 0;
    return cudaSuccess;
}
cudaError_t cudaGetDeviceCount(int* count) {
    *count = 1;
    return cudaSuccess;
}
cudaError_t cudaChooseDevice(int* device, const cudaDeviceProp*) { return cudaGetDevice(device); }
cudaError_t cudaSetValidDevices(int*, int) { return cudaSuccess; }
cudaError_t cudaSetDeviceFlags(unsigned) { return cudaSuccess; }
cudaError_t cudaInitDevice(int, unsigned, unsigned) { return cudaSuccess; }
cudaError_t cudaGetDeviceFlags(unsigned* flags) {
    *flags = 0;
    return cudaSuccess;
}
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
    if (device != 0) return set_error(cudaErrorInvalidDevice);
    fill(*properties);
    return cudaSuccess;
}
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr wanted, int device) {
    if (device != 0) return set_error(cudaErrorInvalidDevice);
    *value = attribute(wanted);
    return cudaSuccess;
}
cudaError_t cudaDeviceSynchronize(void) {
    note_wait();
    return sticky_error();
}
cudaError_t cudaThreadSynchronize(void) { return cudaDeviceSynchronize(); }
cudaError_t cudaDeviceReset(void) {
    note_wait();
    forget_allocations();
    static_cast<void>(last_error(true));
    return cudaSuccess;
}
cudaError_t cudaThreadExit(void) { return cudaSuccess; }
cudaError_t cudaDeviceGetLimit(size_t* value, cudaLimit limit) {
    const auto set = limits_set().find(limit);
    *value = set != limits_set().end()          ? set->second
             : limit == cudaLimitStackSize      ? 1024
             : limit == cudaLimitPrintfFifoSize ? 1 << 20
                                                : 8 << 20;
    return sticky_error();
}
// Stores the value, which has no effect: stacks and heaps on the CPU are large enough.
cudaError_t cudaDeviceSetLimit(cudaLimit limit, size_t value) {
    limits_set()[limit] = value;
    return sticky_error();
}
cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache* config) {
    *config = cudaFuncCachePreferNone;
    return sticky_error();
}
cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache) { return cudaSuccess; }
cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig* config) {
    *config = cudaSharedMemBankSizeFourByte;
    return cudaSuccess;
}
cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig) { return cudaSuccess; }
cudaError_t cudaDeviceCanAccessPeer(int* can, int device, int peer) {
    if (device != 0 || peer != 0) return set_error(cudaErrorInvalidDevice);  // there is one GPU
    *can = 0;
    return cudaSuccess;
}
cudaError_t cudaDeviceEnablePeerAccess(int, unsigned) { return set_error(cudaErrorInvalidDevice); }
cudaError_t cudaDeviceDisablePeerAccess(int) { return set_error(cudaErrorPeerAccessNotEnabled); }
cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
    *least = 0;
    *greatest = -5;
    return cudaSuccess;
}
cudaError_t cudaDeviceGetPCIBusId(char* id, int length, int) {
    std::snprintf(id, static_cast<size_t>(length), "0000:00:00.0");
    return cudaSuccess;
}
cudaError_t cudaDriverGetVersion(int* version_number) {
    *version_number = 12040;
    return cudaSuccess;
}
cudaError_t cudaRuntimeGetVersion(int* version_number) {
    return cudaDriverGetVersion(version_number);
}
cudaError_t cudaProfilerStart(void) { return cudaSuccess; }
cudaError_t cudaProfilerStop(void) { return cudaSuccess; }

cudaError_t cudaGetLastError(void) { return last_error(true); }
cudaError_t cudaPeekAtLastError(void) { return last_error(false); }
const char* cudaGetErrorString(cudaError_t error) { return error_message(error); }
const char* cudaGetErrorName(cudaError_t error) { return error_name(error); }

cudaError_t tilereel_function_attribute(const void* kernel, cudaFuncAttribute wanted, int value) {
    const tilereel::DeviceLimits& limits = limits_chosen();
    if (wanted != cudaFuncAttributeMaxDynamicSharedMemorySize) return sticky_error();
    if (value < 0 || value > limits.shared_bytes_per_block) return set_error(cudaErrorInvalidValue);
    KernelState& state = state_of_kernel(kernel);
    state.most_dynamic_bytes = static_cast<std::uint32_t>(value);
    state.sets_most_dynamic_bytes = true;
    return sticky_error();
}
cudaError_t tilereel_function_attributes(cudaFuncAttributes* attributes, const void* kernel) {
    const KernelState& state = known_state(kernel);
    *attributes = {};
    attributes->sharedSizeBytes = state.static_shared_bytes;
    attributes->maxThreadsPerBlock = limits_chosen().threads_per_block;
    attributes->numRegs = tilereel::kAssumedRegisters;
    attributes->ptxVersion = attributes->binaryVersion =
        compute_capability().major * 10 + compute_capability().minor;
    attributes->maxDynamicSharedSizeBytes = static_cast<int>(state.most_dynamic_bytes);
    return sticky_error();
}
cudaError_t tilereel_active_blocks(int* blocks, const void* kernel, int threads,
                                   size_t dynamic_bytes) {
    const auto shared =
        static_cast<std::uint32_t>(dynamic_bytes) + known_state(kernel).static_shared_bytes;
    const auto found = tilereel::occupancy_of({.threads = threads,
                                               .registers_per_thread = tilereel::kAssumedRegisters,
                                               .shared_bytes = shared},
                                              generation_chosen());
    *blocks = found ? found->blocks : 0;
    return sticky_error();
}
}
