#pragma once
// OpenBLAS, if it is installed: the reference on a CPU.
#include <string>

#include "app/race/race.h"
#include "app/race/runners/shared_library.h"

namespace tilereel {

class Openblas {
  public:
    // kFailed with what to install, or if there are not enough threads or memory: OpenBLAS would
    // then end the program or wait forever.
    static Result<Openblas> open(int threads);
    // C(M,N) = A(M,K) B(K,N), row-major.
    void multiply(const ProductSize& size, const float* a, const float* b, float* c) const;
    [[nodiscard]] const std::string& version() const { return version_; }  // "OpenBLAS 0.3.21"

  private:
    explicit Openblas(SharedLibrary library) : library_(std::move(library)) {}
    Status find_functions();

    SharedLibrary library_;
    std::string version_;
    // Functions of cblas.h. Its enumerations are passed as int.
    void (*sgemm_)(int order, int transpose_a, int transpose_b, int m, int n, int k, float alpha,
                   const float* a, int leading_a, const float* b, int leading_b, float beta,
                   float* c, int leading_c) = nullptr;
    void (*set_threads_)(int) = nullptr;
    char* (*config_)() = nullptr;
};

}  // namespace tilereel
