#include "instrumentation/plain/runtime/open_blas.h"

#include <dlfcn.h>

#include <array>
#include <optional>
#include <string>

namespace tilereel::plain {
namespace {

void* library() {
    static void* const opened = [] {
        void* found = nullptr;
        for (const char* const name : {"libopenblas.so.0", "libcblas.so.3", "libblas.so.3"})
            if (found == nullptr) found = dlopen(name, RTLD_NOW | RTLD_LOCAL);
        return found;
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

}  // namespace tilereel::plain
