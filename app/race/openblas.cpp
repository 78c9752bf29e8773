#include "app/race/openblas.h"

namespace tilereel {

Result<Openblas> Openblas::open() {
    auto library = SharedLibrary::open({"libopenblas.so.0", "libopenblas.so"});
    if (!library)
        return failed("OpenBLAS is not on this machine; install libopenblas0 to race against it");
    Openblas openblas(*std::move(library));
    if (const Status found = openblas.find_functions(); !found) return found.error();
    const std::string config = openblas.config_();  // "OpenBLAS 0.3.21 DYNAMIC_ARCH ..."
    openblas.version_ = config.substr(0, config.find(' ', config.find(' ') + 1));
    return openblas;
}

Status Openblas::find_functions() {
    if (const Status found = library_.find("cblas_sgemm", sgemm_); !found) return found;
    if (const Status found = library_.find("openblas_set_num_threads", set_threads_); !found)
        return found;
    return library_.find("openblas_get_config", config_);
}

void Openblas::use_threads(int threads) const { set_threads_(threads); }

void Openblas::multiply(const ProductSize& size, const float* a, const float* b, float* c) const {
    constexpr int kRowMajor = 101, kNotTransposed = 111;
    sgemm_(kRowMajor, kNotTransposed, kNotTransposed, size.m, size.n, size.k, 1.0f, a, size.k, b,
           size.n, 0.0f, c, size.n);
}

}  // namespace tilereel
