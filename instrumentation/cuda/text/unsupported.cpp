#include "instrumentation/cuda/text/unsupported.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "instrumentation/cuda/text/includes.h"
#include "instrumentation/cuda/text/text_words.h"

namespace tilereel::program {
namespace {

// Words that begin with `begin`, and the sentence to report for them.
struct Family {
    std::string_view begin;
    std::string_view sentence;
    bool exact = false;  // only the word `begin` itself
};
constexpr std::string_view kTexture =
    "Tilereel runs textures of one and two dimensions without layers; use such a texture, or read "
    "the data through a pointer.";
constexpr std::string_view kTextureReference =
    "Tilereel runs no texture references, which CUDA 12 has removed; create a texture object "
    "instead.";
constexpr std::string_view kArray =
    "Tilereel has CUDA arrays of one and two dimensions; use cudaMallocArray, or cudaMalloc.";
constexpr std::string_view kConditional =
    "Tilereel runs no graphs with conditions; decide on the host which graph to launch instead.";
constexpr std::string_view kDrawing =
    "Tilereel draws nothing for a program; leave out OpenGL and its like.";
constexpr std::string_view kGraphRest =
    "Tilereel has no such function of graphs; make the graph anew instead.";
constexpr std::string_view kGraphSymbol =
    "Tilereel copies in graphs by addresses; ask for the variable's with cudaGetSymbolAddress.";
constexpr std::string_view kExternal =
    "Tilereel shares nothing with other libraries; use cudaMalloc and events instead.";
constexpr std::string_view kOneGpu =
    "Tilereel simulates one GPU that is not shared; leave out the call.";
constexpr std::string_view kBatch =
    "copy the parts one after another with cudaMemcpyAsync instead.";
constexpr std::string_view kHint =
    "Tilereel moves no pages; leave out the call, which changes no results.";
constexpr std::string_view kLog = "Tilereel keeps no log of CUDA; leave out the call.";
constexpr std::string_view kTensorMemory =
    "Tilereel has no tensor memory, which came with compute capability 10.0; use mma_sync instead.";
constexpr std::string_view kProcesses =
    "Tilereel shares no memory with other processes; use one process instead.";
constexpr std::string_view kQuasirandom =
    "Tilereel has no quasirandom numbers; use a pseudorandom generator instead.";
constexpr std::string_view kModule =
    "Tilereel loads no compiled kernels; put the kernel into the program and launch it with "
    "<<<...>>> instead.";
constexpr std::string_view kTensorMap =
    "Tilereel has tiled tensor maps only; make one with cuTensorMapEncodeTiled instead.";
constexpr std::string_view kBulkReduction =
    "Tilereel runs no reductions in bulk; use atomic functions instead.";
constexpr std::string_view kClusterOccupancy =
    "Tilereel has no such query; it runs clusters of up to 8 blocks.";
constexpr std::array kFamilies = {
    Family{"tex3D", kTexture},
    Family{"texCubemap", kTexture},
    Family{"tex1DLayered", kTexture},
    Family{"tex2DLayered", kTexture},
    Family{"tex2Dgather", kTexture, true},
    Family{"texture", kTextureReference, true},
    Family{"textureReference", kTextureReference, true},
    Family{"cudaBindTexture", kTextureReference},
    Family{"cudaUnbindTexture", kTextureReference},
    Family{"cudaBindSurface", kTextureReference},
    Family{"surf3D", kTexture},
    Family{"surf1DLayered", kTexture},
    Family{"surf2DLayered", kTexture},
    Family{"surfCubemap", kTexture},
    Family{"cudaMalloc3DArray", kArray, true},
    Family{"cudaMallocMipmappedArray", kArray, true},
    Family{"cudaResourceTypeMipmappedArray", kArray, true},
    Family{"cudaMipmappedArray", kArray},
    Family{"cudaFreeMipmappedArray", kArray, true},
    Family{"cudaGetMipmappedArrayLevel", kArray, true},
    Family{"cudaArrayGetMemoryRequirements", kArray, true},
    Family{"cudaArrayGetPlane", kArray, true},
    Family{"cudaArrayGetSparseProperties", kArray, true},
    Family{"cudaMemcpyArrayToArray", kArray, true},
    Family{"cudaMemcpyToArrayAsync", kArray, true},
    Family{"cudaMemcpyFromArrayAsync", kArray, true},
    Family{"cudaGetSurfaceObjectResourceDesc", kArray, true},
    Family{"cudaGetTextureObjectResourceViewDesc", kArray, true},
    Family{"cudaDeviceGetTexture1DLinearMaxWidth", kArray, true},
    Family{"cudaGraphAddMemcpyNodeToSymbol", kGraphSymbol, true},
    Family{"cudaGraphAddMemcpyNodeFromSymbol", kGraphSymbol, true},
    Family{"cudaGraphMemcpyNodeSetParamsToSymbol", kGraphSymbol, true},
    Family{"cudaGraphMemcpyNodeSetParamsFromSymbol", kGraphSymbol, true},
    Family{"cudaGraphExecMemcpyNodeSetParamsToSymbol", kGraphSymbol, true},
    Family{"cudaGraphExecMemcpyNodeSetParamsFromSymbol", kGraphSymbol, true},
    Family{"cudaGraphAddExternal", kExternal},
    Family{"cudaGraphExternal", kExternal},
    Family{"cudaGraphExecExternal", kExternal},
    Family{"cudaImportExternal", kExternal},
    Family{"cudaExternal", kExternal},
    Family{"cudaDestroyExternal", kExternal},
    Family{"cudaSignalExternal", kExternal},
    Family{"cudaWaitExternal", kExternal},
    Family{"cudaUserObject", kGraphRest},
    Family{"cudaGraphRetainUserObject", kGraphRest, true},
    Family{"cudaGraphReleaseUserObject", kGraphRest, true},
    Family{"cudaGraphEventRecordNode", kGraphRest},
    Family{"cudaGraphEventWaitNode", kGraphRest},
    Family{"cudaGraphExecEventRecordNode", kGraphRest},
    Family{"cudaGraphExecEventWaitNode", kGraphRest},
    Family{"cudaGraphExecGetFlags", kGraphRest, true},
    Family{"cudaGraphInstantiateWithParams", kGraphRest, true},
    Family{"cudaGraphKernelNodeCopyAttributes", kGraphRest, true},
    Family{"cudaGraphKernelNodeGetAttribute", kGraphRest, true},
    Family{"cudaGraphKernelNodeSetAttribute", kGraphRest, true},
    Family{"cudaGraphMemAllocNodeGetParams", kGraphRest, true},
    Family{"cudaGraphMemFreeNodeGetParams", kGraphRest, true},
    Family{"cudaStreamBeginCaptureToGraph", kGraphRest, true},
    Family{"cudaStreamUpdateCaptureDependencies", kGraphRest, true},
    Family{"cudaDeviceGetGraphMemAttribute", kGraphRest, true},
    Family{"cudaDeviceSetGraphMemAttribute", kGraphRest, true},
    Family{"cudaDeviceGraphMemTrim", kGraphRest, true},
    Family{"cudaDeviceFlushGPUDirectRDMAWrites", kOneGpu, true},
    Family{"cudaDeviceGetByPCIBusId", kOneGpu, true},
    Family{"cudaDeviceGetP2P", kOneGpu},
    Family{"cudaDeviceGetHostAtomicCapabilities", kOneGpu, true},
    Family{"cudaDeviceGetNvSciSyncAttributes", kOneGpu, true},
    Family{"cudaDeviceRegisterAsyncNotification", kOneGpu, true},
    Family{"cudaDeviceUnregisterAsyncNotification", kOneGpu, true},
    Family{"cudaMemcpy3DPeer", kOneGpu},
    Family{"cudaStreamGetDevice", kOneGpu, true},
    Family{"cudaStreamGetId", kOneGpu, true},
    Family{"cudaStreamCopyAttributes", kOneGpu, true},
    Family{"cudaMemGetDefaultMemPool", kOneGpu, true},
    Family{"cudaMemGetMemPool", kOneGpu, true},
    Family{"cudaMemSetMemPool", kOneGpu, true},
    Family{"cudaMemcpyBatchAsync", kBatch, true},
    Family{"cudaMemcpy3DBatchAsync", kBatch, true},
    Family{"cudaMemDiscard", kHint},
    Family{"cudaMemPrefetchBatchAsync", kHint, true},
    Family{"cudaMemRangeGetAttribute", kHint},
    Family{"cudaLogs", kLog},
    Family{"cudaLibrary", kModule},
    Family{"cudaKernelSetAttributeForDevice", kModule, true},
    Family{"cudaGetKernel", kModule, true},
    Family{"cudaGetFuncBySymbol", kModule, true},
    Family{"cudaGetExportTable", kModule, true},
    Family{"cudaFuncGetName", kModule, true},
    Family{"cudaFuncGetParamInfo", kModule, true},
    Family{"cudaOccupancyMaxActiveClusters", kClusterOccupancy, true},
    Family{"cudaOccupancyMaxPotentialClusterSize", kClusterOccupancy, true},
    Family{"cudaOccupancyAvailableDynamicSMemPerBlock",
           "use cudaOccupancyMaxActiveBlocksPerMultiprocessor instead.", true},
    Family{"cudaGraphConditional", kConditional},
    Family{"cudaGraphSetConditional", kConditional, true},
    Family{"cudaGraphics", kDrawing},
    Family{"curandStateSobol", kQuasirandom},
    Family{"curandStateScrambledSobol", kQuasirandom},
    Family{"CURAND_RNG_QUASI", kQuasirandom},
    Family{"curandDirectionVectors", kQuasirandom},
    Family{"cuTensorMapEncodeIm2col", kTensorMap},
    Family{"cuTensorMapReplaceAddress", kTensorMap, true},
    Family{"tensormap_", kTensorMap},
    Family{"cp_reduce_async_bulk", kBulkReduction},
    Family{"tcgen05_", kTensorMemory},
    Family{"cudaIpc", kProcesses},
    Family{"cudaMemPoolExport", kProcesses},
    Family{"cudaMemPoolImport", kProcesses},
    Family{"cuModule", kModule},
    Family{"cuLaunchKernel", kModule, true},
    Family{"cuLink", kModule},
    Family{"cuCtx", kModule},
    Family{"cuMem", kModule},
    Family{"nvrtc", kModule},
};

// Headers of libraries, by the first letters of their names.
struct Library {
    std::string_view begin, sentence;
    bool works = false;  // where it is installed
};
constexpr std::array kLibraries = {
    Library{"nvrtc", kModule},
    Library{"cuda_gl_interop", "Tilereel draws nothing for a program; leave out OpenGL."},
    Library{"cudaEGL", "Tilereel draws nothing for a program; leave out EGL."},
    Library{"GL/", "OpenGL is not part of CUDA; install its headers, or leave out the drawing.",
            true},
    Library{"mpi.h",
            "MPI is not part of CUDA; install its headers and give their folder with -I, "
            "or open a file that runs as one process.",
            true},
    Library{"thrust/", "Thrust is a library of its own; install it: apt-get install libthrust-dev.",
            true},
    Library{"cub/",
            "Tilereel has no such header of CUB; include cub/cub.cuh, which has what it supports.",
            true},
    Library{"cufft", "Tilereel has no cuFFT; open a program without it."},
    Library{"cusparse", "Tilereel has no cuSPARSE; open a program without it."},
    Library{"cusolver", "Tilereel has no cuSOLVER; open a program without it."},
    Library{"cudnn", "Tilereel has no cuDNN; open a program without it."},
    Library{"cutlass/", "CUTLASS is a library of its own; give its folder with -I.", true},
    Library{"npp", "Tilereel has no NPP; open a program without it."},
    Library{"nvml", "Tilereel has no NVML; leave out the calls of it."},
    Library{"nccl", "Tilereel has no NCCL; open a program for one GPU."},
    Library{"nvjpeg", "Tilereel has no nvJPEG; open a program without it."},
    Library{"nvJitLink", kModule},
    Library{"nvPTXCompiler", kModule},
    Library{"nvfatbin", kModule},
    Library{"cufile", "Tilereel has no cuFile; read the file with fread and copy it instead."},
    Library{"cupti", "Tilereel has no CUPTI; leave out the calls of it."},
    Library{"cuda_awbarrier", "use cuda/barrier instead."},
    Library{"cuda_pipeline_helpers", "include cuda_pipeline.h instead."},
    Library{"cuda_occupancy", "use the functions cudaOccupancy... of cuda_runtime.h instead."},
    Library{"cuda_egl", "Tilereel draws nothing for a program; leave out EGL."},
    Library{"cudalibxt", "Tilereel has no libraries for several GPUs; use one GPU."},
    Library{"nvblas", "Tilereel has no NVBLAS; use cublas_v2.h instead."},
    Library{"nvvm", kModule},
    Library{"nv_decode", "the program needs no names of the linker; leave it out."},
    Library{"fatbinary_section", kModule},
    Library{"cudaProfiler", "Tilereel has no profiler; leave out the calls of it."},
    Library{"nvperf", "Tilereel has no profiler; leave out the calls of it."},
    Library{"cudla", "Tilereel has no cuDLA; open a program without it."},
    Library{"cudss", "Tilereel has no cuDSS; open a program without it."},
    Library{"cutensor", "Tilereel has no cuTENSOR; open a program without it."},
    Library{"cudaD3D", "Tilereel draws nothing for a program; leave out Direct3D."},
    Library{"cudaGL", "Tilereel draws nothing for a program; leave out OpenGL."},
    Library{"cudaVDPAU", "Tilereel draws nothing for a program; leave out VDPAU."},
    Library{"cuda_vdpau", "Tilereel draws nothing for a program; leave out VDPAU."},
    Library{"texture_indirect", kTextureReference},
    Library{"surface_indirect", kTextureReference},
    Library{"curand_mtgp32", "use curandStatePhilox4_32_10_t instead of the Mersenne twister."},
    Library{"device_double_functions.h", "leave it out: cuda_runtime.h has its functions."},
    Library{"curand_", "include curand_kernel.h instead, which has all supported generators."},
};

constexpr std::size_t kMostFindings = 1000;  // a file of such words gives no longer list

void find_names(std::string_view masked, std::vector<UnsupportedFeature>& found) {
    LineCounter lines(masked);
    for_each_word(masked, [&](std::string_view word, std::size_t at) {
        if (found.size() >= kMostFindings) return;
        for (const Family& family : kFamilies)
            if (family.exact ? word == family.begin : word.starts_with(family.begin)) {
                found.push_back(
                    {lines.line_of(at),
                     std::string(word) + " is not supported: " + std::string(family.sentence), ""});
                break;
            }
    });
}

void find_headers(std::string_view text, std::string_view masked,
                  std::vector<UnsupportedFeature>& found) {
    LineCounter lines(text);
    for (const Include& include : find_includes(text, masked)) {
        if (found.size() >= kMostFindings) return;
        if (include.name == "curand_kernel.h") continue;
        for (const Library& library : kLibraries)
            if (include.name.starts_with(library.begin)) {
                found.push_back({lines.line_of(include.at),
                                 std::string(include.name) +
                                     " is not supported: " + std::string(library.sentence),
                                 library.works ? std::string(include.name) : ""});
                break;
            }
    }
}

}  // namespace

std::vector<UnsupportedFeature> find_unsupported(std::string_view text, std::string_view masked) {
    std::vector<UnsupportedFeature> found;
    find_names(masked, found);
    find_headers(text, masked, found);
    std::ranges::stable_sort(found, {}, &UnsupportedFeature::line);
    return found;
}

}  // namespace tilereel::program
