#pragma once
// Error codes with the numbers and messages of the CUDA runtime: TILEREEL_ERROR(name, number,
// message).
#define TILEREEL_ERRORS                                                                           \
    TILEREEL_ERROR(cudaSuccess, 0, "no error")                                                    \
    TILEREEL_ERROR(cudaErrorInvalidValue, 1, "invalid argument")                                  \
    TILEREEL_ERROR(cudaErrorMemoryAllocation, 2, "out of memory")                                 \
    TILEREEL_ERROR(cudaErrorInitializationError, 3, "initialization error")                       \
    TILEREEL_ERROR(cudaErrorCudartUnloading, 4, "driver shutting down")                           \
    TILEREEL_ERROR(cudaErrorProfilerDisabled, 5,                                                  \
                   "profiler disabled while using external profiling tool")                       \
    TILEREEL_ERROR(cudaErrorInvalidConfiguration, 9, "invalid configuration argument")            \
    TILEREEL_ERROR(cudaErrorInvalidPitchValue, 12, "invalid pitch argument")                      \
    TILEREEL_ERROR(cudaErrorInvalidSymbol, 13, "invalid device symbol")                           \
    TILEREEL_ERROR(cudaErrorInvalidHostPointer, 16, "invalid host pointer")                       \
    TILEREEL_ERROR(cudaErrorInvalidDevicePointer, 17, "invalid device pointer")                   \
    TILEREEL_ERROR(cudaErrorInvalidTexture, 18, "invalid texture reference")                      \
    TILEREEL_ERROR(cudaErrorInvalidMemcpyDirection, 21, "invalid copy direction for memcpy")      \
    TILEREEL_ERROR(cudaErrorInsufficientDriver, 35,                                               \
                   "CUDA driver version is insufficient for CUDA runtime version")                \
    TILEREEL_ERROR(cudaErrorMissingConfiguration, 52,                                             \
                   "__global__ function call is not configured")                                  \
    TILEREEL_ERROR(cudaErrorInvalidDeviceFunction, 98, "invalid device function")                 \
    TILEREEL_ERROR(cudaErrorNoDevice, 100, "no CUDA-capable device is detected")                  \
    TILEREEL_ERROR(cudaErrorInvalidDevice, 101, "invalid device ordinal")                         \
    TILEREEL_ERROR(cudaErrorInvalidKernelImage, 200, "device kernel image is invalid")            \
    TILEREEL_ERROR(cudaErrorNoKernelImageForDevice, 209,                                          \
                   "no kernel image is available for execution on the device")                    \
    TILEREEL_ERROR(cudaErrorInvalidPtx, 218, "a PTX JIT compilation failed")                      \
    TILEREEL_ERROR(cudaErrorOperatingSystem, 304,                                                 \
                   "OS call failed or operation not supported on this OS")                        \
    TILEREEL_ERROR(cudaErrorInvalidResourceHandle, 400, "invalid resource handle")                \
    TILEREEL_ERROR(cudaErrorIllegalState, 401,                                                    \
                   "the operation cannot be performed in the present state")                      \
    TILEREEL_ERROR(cudaErrorSymbolNotFound, 500, "named symbol not found")                        \
    TILEREEL_ERROR(cudaErrorNotReady, 600, "device not ready")                                    \
    TILEREEL_ERROR(cudaErrorIllegalAddress, 700, "an illegal memory access was encountered")      \
    TILEREEL_ERROR(cudaErrorLaunchOutOfResources, 701, "too many resources requested for launch") \
    TILEREEL_ERROR(cudaErrorLaunchTimeout, 702, "the launch timed out and was terminated")        \
    TILEREEL_ERROR(cudaErrorPeerAccessAlreadyEnabled, 704, "peer access is already enabled")      \
    TILEREEL_ERROR(cudaErrorPeerAccessNotEnabled, 705, "peer access has not been enabled")        \
    TILEREEL_ERROR(cudaErrorAssert, 710, "device-side assert triggered")                          \
    TILEREEL_ERROR(cudaErrorHostMemoryAlreadyRegistered, 712,                                     \
                   "part or all of the requested memory range is already mapped")                 \
    TILEREEL_ERROR(cudaErrorHostMemoryNotRegistered, 713,                                         \
                   "pointer does not correspond to a registered memory region")                   \
    TILEREEL_ERROR(cudaErrorIllegalInstruction, 715, "an illegal instruction was encountered")    \
    TILEREEL_ERROR(cudaErrorMisalignedAddress, 716, "misaligned address")                         \
    TILEREEL_ERROR(cudaErrorLaunchFailure, 719, "unspecified launch failure")                     \
    TILEREEL_ERROR(cudaErrorCooperativeLaunchTooLarge, 720,                                       \
                   "too many blocks in cooperative launch")                                       \
    TILEREEL_ERROR(cudaErrorNotPermitted, 800, "operation not permitted")                         \
    TILEREEL_ERROR(cudaErrorNotSupported, 801, "operation not supported")                         \
    TILEREEL_ERROR(cudaErrorStreamCaptureUnsupported, 900,                                        \
                   "operation not permitted when stream is capturing")                            \
    TILEREEL_ERROR(cudaErrorStreamCaptureInvalidated, 901,                                        \
                   "operation failed due to a previous error during capture")                     \
    TILEREEL_ERROR(cudaErrorStreamCaptureMerge, 902,                                              \
                   "operation would result in a merge of separate capture sequences")             \
    TILEREEL_ERROR(cudaErrorStreamCaptureUnmatched, 903,                                          \
                   "capture was not ended in the same stream as it began")                        \
    TILEREEL_ERROR(cudaErrorStreamCaptureUnjoined, 904, "capturing stream has unjoined work")     \
    TILEREEL_ERROR(cudaErrorStreamCaptureIsolation, 905,                                          \
                   "dependency created on uncaptured work in another stream")                     \
    TILEREEL_ERROR(cudaErrorStreamCaptureImplicit, 906,                                           \
                   "operation would make the legacy stream depend on a capturing blocking "       \
                   "stream")                                                                      \
    TILEREEL_ERROR(cudaErrorCapturedEvent, 907,                                                   \
                   "operation not permitted on an event last recorded in a capturing stream")     \
    TILEREEL_ERROR(cudaErrorGraphExecUpdateFailure, 910,                                          \
                   "the graph update was not performed because it included changes which "        \
                   "violated constraints specific to instantiated graph update")                  \
    TILEREEL_ERROR(cudaErrorInvalidClusterSize, 912, "cluster misconfiguration")                  \
    TILEREEL_ERROR(cudaErrorUnknown, 999, "unknown error")
