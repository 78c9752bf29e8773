#include "instrumentation/plain/unsupported.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "instrumentation/plain/device_functions.h"
#include "instrumentation/plain/includes.h"
#include "instrumentation/plain/text_words.h"

namespace tilereel::plain {
namespace {

// Words that begin with `begin`, and the sentence to report for them.
struct Family {
    std::string_view begin;
    std::string_view sentence;
    bool exact = false;  // only the word `begin` itself
};
constexpr std::string_view kTexture =
    "Tilereel runs no textures; read the data through a pointer instead.";
constexpr std::string_view kSurface =
    "Tilereel runs no surfaces; write the data through a pointer instead.";
constexpr std::string_view kArray =
    "Tilereel has no CUDA arrays; allocate with cudaMalloc or cudaMallocPitch instead.";
constexpr std::string_view kGraph =
    "Tilereel runs no CUDA graphs; launch the kernels one after another instead.";
constexpr std::string_view kFragment =
    "Tilereel runs no tensor-core fragments; write the product with plain arrays instead.";
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
constexpr std::string_view kCluster =
    "Tilereel runs no clusters of blocks; let the threads of one block work together instead.";
constexpr std::array kFamilies = {
    Family{"tex1D", kTexture},
    Family{"tex2D", kTexture},
    Family{"tex3D", kTexture},
    Family{"texCubemap", kTexture},
    Family{"texture", kTexture, true},
    Family{"cudaTextureObject_t", kTexture, true},
    Family{"cudaCreateTextureObject", kTexture, true},
    Family{"cudaBindTexture", kTexture},
    Family{"surf1D", kSurface},
    Family{"surf2D", kSurface},
    Family{"surf3D", kSurface},
    Family{"surfCubemap", kSurface},
    Family{"cudaSurfaceObject_t", kSurface, true},
    Family{"cudaCreateSurfaceObject", kSurface, true},
    Family{"cudaMallocArray", kArray, true},
    Family{"cudaMalloc3DArray", kArray, true},
    Family{"cudaMallocMipmappedArray", kArray, true},
    Family{"cudaStreamBeginCapture", kGraph, true},
    Family{"cudaGraph", kGraph},
    Family{"wmma", kFragment, true},
    Family{"load_matrix_sync", kFragment, true},
    Family{"store_matrix_sync", kFragment, true},
    Family{"mma_sync", kFragment, true},
    Family{"curandStateSobol", kQuasirandom},
    Family{"curandStateScrambledSobol", kQuasirandom},
    Family{"CURAND_RNG_QUASI", kQuasirandom},
    Family{"curandDirectionVectors", kQuasirandom},
    Family{"cuTensorMapEncodeIm2col", kTensorMap},
    Family{"cuTensorMapReplaceAddress", kTensorMap, true},
    Family{"tensormap_", kTensorMap},
    Family{"cp_reduce_async_bulk", kBulkReduction},
    Family{"barrier_cluster_", kCluster},
    Family{"getctarank", kCluster, true},
    Family{"tcgen05_", kFragment},
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
};
constexpr std::array kLibraries = {
    Library{"nvrtc", kModule},
    Library{"mma.h", kFragment},
    Library{"cuda_gl_interop", "Tilereel draws nothing for a program; leave out OpenGL."},
    Library{"cudaEGL", "Tilereel draws nothing for a program; leave out EGL."},
    Library{"GL/", "OpenGL is not part of CUDA; install its headers, or leave out the drawing."},
    Library{"mpi.h",
            "MPI is not part of CUDA; install its headers and give their folder with -I, "
            "or open a file that runs as one process."},
    Library{"thrust/",
            "Thrust is a library of its own; install it: apt-get install libthrust-dev."},
    Library{"cub/",
            "CUB contains inline PTX, which Tilereel does not run; use cooperative groups or "
            "Thrust instead."},
    Library{"cufft", "Tilereel has no cuFFT; open a program without it."},
    Library{"cusparse", "Tilereel has no cuSPARSE; open a program without it."},
    Library{"cusolver", "Tilereel has no cuSOLVER; open a program without it."},
    Library{"cudnn", "Tilereel has no cuDNN; open a program without it."},
    Library{"cutlass/", "CUTLASS is a library of its own; give its folder with -I."},
    Library{"npp", "Tilereel has no NPP; open a program without it."},
    Library{"nvml", "Tilereel has no NVML; leave out the calls of it."},
    Library{"nccl", "Tilereel has no NCCL; open a program for one GPU."},
};

constexpr std::size_t kMostFindings = 1000;  // a file of such words gives no longer list

void find_names(std::string_view masked, std::vector<UnsupportedFeature>& found) {
    LineCounter lines(masked);
    for_each_word(masked, [&](std::string_view word, std::size_t at) {
        if (found.size() >= kMostFindings) return;
        for (const Family& family : kFamilies)
            if (family.exact ? word == family.begin : word.starts_with(family.begin)) {
                found.push_back({lines.line_of(at), std::string(word) + " is not supported: " +
                                                        std::string(family.sentence)});
                break;
            }
    });
}

void find_headers(std::string_view text, std::string_view masked,
                  std::vector<UnsupportedFeature>& found) {
    LineCounter lines(text);
    for (const Include& include : find_includes(text, masked)) {
        if (found.size() >= kMostFindings) return;
        for (const Library& library : kLibraries)
            if (include.name.starts_with(library.begin)) {
                found.push_back({lines.line_of(include.at),
                                 std::string(include.name) +
                                     " is not supported: " + std::string(library.sentence)});
                break;
            }
    }
}

// Finds inline PTX in device code.
void find_in_device_code(std::string_view masked, std::vector<UnsupportedFeature>& found) {
    std::vector<DeviceFunction> functions = find_device_functions(masked);
    std::ranges::sort(functions, {}, &DeviceFunction::body);
    LineCounter lines(masked);
    std::size_t next = 0, inside_to = 0;  // the end of the bodies that were entered
    for_each_word(masked, [&](std::string_view word, std::size_t at) {
        for (; next < functions.size() && functions[next].body <= at; ++next)
            inside_to = std::max(inside_to, functions[next].end);
        if (at >= inside_to || (word != "asm" && word != "__asm__")) return;
        if (found.size() < kMostFindings)
            found.push_back({lines.line_of(at),
                             "inline PTX (asm) is not supported: Tilereel runs CUDA C++; write it "
                             "with an intrinsic function instead."});
    });
}

}  // namespace

std::vector<UnsupportedFeature> find_unsupported(std::string_view text, std::string_view masked) {
    std::vector<UnsupportedFeature> found;
    find_names(masked, found);
    find_headers(text, masked, found);
    find_in_device_code(masked, found);
    std::ranges::stable_sort(found, {}, &UnsupportedFeature::line);
    return found;
}

}  // namespace tilereel::plain
