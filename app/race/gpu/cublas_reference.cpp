#include "app/race/gpu/cublas_reference.h"

#include <cstdlib>
#include <vector>

namespace tilereel {
namespace {

constexpr int kCublasSuccess = 0, kNotTransposed = 0, kPedanticMath = 2;
constexpr int kReal32F = 0, kReal16Bf = 14;  // cudaDataType
constexpr int kCompute32F = 68;              // cublasComputeType_t, since CUDA 11
constexpr int kDefaultAlgorithm = -1;        // cublasGemmAlgo_t

// Where the cuBLAS library may be: in the loader's search path, or in the toolkit's folder.
std::vector<std::string> places() {
    std::vector<std::string> folders{""};
    if (const char* const home = std::getenv("CUDA_HOME"))
        folders.push_back(std::string(home) + "/lib64/");
    folders.emplace_back("/usr/local/cuda/lib64/");
    std::vector<std::string> places;
    for (const std::string& folder : folders)
        for (const char* version : {"13", "12", "11"})
            places.push_back(folder + "libcublas.so." + version);
    return places;
}

Error status_error(const char* wanted, int status) {
    return failed(std::string("cuBLAS did not ") + wanted + " (status " + std::to_string(status) +
                  "); race without a reference");
}

}  // namespace

Result<Cublas> Cublas::open() {
    const auto library = SharedLibrary::open(places());
    if (!library)
        return failed("cuBLAS is not on this machine; install the CUDA Toolkit to race against it");
    Create* create = nullptr;
    Destroy* destroy = nullptr;
    SetMathMode* set_math_mode = nullptr;
    GetProperty* get_property = nullptr;
    Cublas cublas;
    for (const Status& found :
         {library->find("cublasCreate_v2", create), library->find("cublasDestroy_v2", destroy),
          library->find("cublasSetMathMode", set_math_mode),
          library->find("cublasGetProperty", get_property),
          library->find("cublasSgemm_v2", cublas.sgemm_),
          library->find("cublasGemmEx", cublas.gemm_ex_)})
        if (!found) return found.error();
    for (Handle* const each : {&cublas.pedantic_, &cublas.default_}) {
        void* handle = nullptr;
        if (const int status = create(&handle); status != kCublasSuccess)
            return status_error("start", status);
        *each = {handle, DestroyHandle{destroy}};
    }
    if (const int status = set_math_mode(cublas.pedantic_.get(), kPedanticMath);
        status != kCublasSuccess)
        return status_error("accept pedantic math", status);
    cublas.version_ = "cuBLAS";
    for (int property = 0; property < 3; ++property) {  // major, minor, patch level
        int number = 0;
        if (const int status = get_property(property, &number); status != kCublasSuccess)
            return status_error("report its version", status);
        cublas.version_ += (property == 0 ? " " : ".") + std::to_string(number);
    }
    return cublas;
}

Status Cublas::multiply(const ProductSize& size, const float* a, const float* b, float* c) const {
    const float one = 1, zero = 0;
    // cuBLAS is column-major, so it sees the transposed matrices: C^T = B^T A^T.
    const int status = sgemm_(pedantic_.get(), kNotTransposed, kNotTransposed, size.n, size.m,
                              size.k, &one, b, size.n, a, size.k, &zero, c, size.n);
    if (status != kCublasSuccess) return status_error("multiply", status);
    return Done{};
}

Status Cublas::multiply_bf16(const ProductSize& size, const void* a, const void* b,
                             float* c) const {
    const float one = 1, zero = 0;
    const int status = gemm_ex_(default_.get(), kNotTransposed, kNotTransposed, size.n, size.m,
                                size.k, &one, b, kReal16Bf, size.n, a, kReal16Bf, size.k, &zero, c,
                                kReal32F, size.n, kCompute32F, kDefaultAlgorithm);
    if (status != kCublasSuccess) return status_error("multiply matrices of bfloat16", status);
    return Done{};
}

}  // namespace tilereel
