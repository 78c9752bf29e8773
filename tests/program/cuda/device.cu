// Properties, attributes and limits of the GPU chosen.
#include <cstring>

#include "check.h"

int main() {
    int count = 0, device = -1, value = 0;
    CHECK(cudaGetDeviceCount(&count) == cudaSuccess && count == 1);
    CHECK(cudaSetDevice(0) == cudaSuccess && cudaGetDevice(&device) == cudaSuccess && device == 0);
    CHECK(cudaSetDevice(1) == cudaErrorInvalidDevice);
    CHECK(cudaGetLastError() == cudaErrorInvalidDevice);
    cudaDeviceProp p;
    CHECK(cudaGetDeviceProperties(&p, 0) == cudaSuccess);
    CHECK(p.major == 9 && p.minor == 0 && std::strlen(p.name) > 0);
    CHECK(p.warpSize == 32 && p.maxThreadsPerBlock == 1024 && p.multiProcessorCount == 132);
    CHECK(p.sharedMemPerBlock == 48 << 10 && p.sharedMemPerBlockOptin == 227 << 10);
    CHECK(p.sharedMemPerMultiprocessor == 228 << 10 && p.regsPerBlock == 65536);
    CHECK(p.maxThreadsPerMultiProcessor == 2048 && p.totalConstMem == 65536);
    CHECK(p.maxGridSize[0] == 0x7fffffff && p.maxGridSize[1] == 65535 && p.maxThreadsDim[2] == 64);
    cudaDeviceGetAttribute(&value, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0);
    CHECK(value == 227 << 10);
    cudaDeviceGetAttribute(&value, cudaDevAttrComputeCapabilityMajor, 0);
    CHECK(value == 9);
    cudaDeviceGetAttribute(&value, cudaDevAttrCooperativeLaunch, 0);
    CHECK(value == 1);
    size_t limit = 0;
    CHECK(cudaDeviceSetLimit(cudaLimitStackSize, 4096) == cudaSuccess);
    CHECK(cudaDeviceGetLimit(&limit, cudaLimitStackSize) == cudaSuccess && limit == 4096);
    int driver = 0, runtime = 0;
    cudaDriverGetVersion(&driver);
    cudaRuntimeGetVersion(&runtime);
    CHECK(driver >= runtime && runtime == CUDART_VERSION);
    int devices = 0;
    cudaGetDeviceCount(&devices);
    CHECK(cudaDeviceCanAccessPeer(&value, 0, devices) == cudaErrorInvalidDevice);
    CHECK(cudaGetLastError() == cudaErrorInvalidDevice);
    CHECK(cudaDeviceCanAccessPeer(&value, 0, 0) == cudaSuccess && value == 0);
    CHECK(cudaDeviceReset() == cudaSuccess);
    return failures;
}
