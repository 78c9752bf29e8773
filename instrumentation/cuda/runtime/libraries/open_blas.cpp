#include "instrumentation/cuda/runtime/libraries/open_blas.h"

#include <dlfcn.h>

#include <array>
#include <cstdlib>
#include <optional>
#include <string>

namespace tilereel::runtime {
namespace {

void* open_library() {
    void* found = nullptr;
    for (const char* const name : {"libopenblas.so.0", "libcblas.so.3", "libblas.so.3"})
        if (found == nullptr) found = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    return found;
}

constexpr char kChoice[] = "OPENBLAS_CORETYPE";

// The kernels that this CPU can run, if OpenBLAS has chosen those for old CPUs: it does so for each
// model that it does not know. nullptr: its choice is good, or the user's.
const char* better_kernels([[maybe_unused]] void* library) {
#ifdef __x86_64__
    using NameOfCore = char* (*)();
    const auto name = reinterpret_cast<NameOfCore>(dlsym(library, "openblas_get_corename"));
    if (name == nullptr || std::getenv(kChoice) != nullptr) return nullptr;
    const std::string chosen = name();
    if (chosen != "Prescott" && chosen != "Core2" && chosen != "Generic") return nullptr;
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
        return "SkylakeX";
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return "Haswell";
#endif
    return nullptr;
}

void* library() {
    static void* const opened = [] {
        void* const first = open_library();
        const char* const better = first == nullptr ? nullptr : better_kernels(first);
        if (better == nullptr) return first;
        setenv(kChoice, better, 0);  // it is read when the library is loaded
        dlclose(first);
        void* const second = open_library();
        unsetenv(kChoice);
        return second;
    }();
    return opened;
}

template <class F>
bool load(F& function, const std::string& name) {
    function = reinterpret_cast<F>(dlsym(library(), name.c_str()));
    return function != nullptr;
}

template <class T>
std::optional<Blas<T>> loaded(const std::string& letter) {
    Blas<T> found{};
    if (library() == nullptr) return std::nullopt;
    const std::string front = "cblas_" + letter;
    const bool all = load(found.axpy, front + "axpy") && load(found.scal, front + "scal") &&
                     load(found.copy, front + "copy") && load(found.swap, front + "swap") &&
                     load(found.dot, front + "dot") && load(found.nrm2, front + "nrm2") &&
                     load(found.asum, front + "asum") &&
                     load(found.iamax, "cblas_i" + letter + "amax") &&
                     load(found.gemv, front + "gemv") && load(found.ger, front + "ger") &&
                     load(found.gemm, front + "gemm");
    return all ? std::optional(found) : std::nullopt;
}

}  // namespace

template <>
const Blas<float>* blas<float>() {
    static const std::optional<Blas<float>> found = loaded<float>("s");
    return found ? &*found : nullptr;
}
template <>
const Blas<double>* blas<double>() {
    static const std::optional<Blas<double>> found = loaded<double>("d");
    return found ? &*found : nullptr;
}

}  // namespace tilereel::runtime
