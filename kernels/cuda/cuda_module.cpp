#include "kernels/cuda/cuda_module.h"

#include <cuda.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "kernels/cuda/cuda_handles.h"

namespace tilereel {
namespace {

// Functions of the driver API, found through the runtime: the program does not link the driver.
struct Driver {
    CUresult (*load)(CUmodule*, const void*, unsigned, CUjit_option*, void**) = nullptr;
    CUresult (*unload)(CUmodule) = nullptr;
    CUresult (*find_kernel)(CUfunction*, CUmodule, const char*) = nullptr;
    CUresult (*find_variable)(CUdeviceptr*, std::size_t*, CUmodule, const char*) = nullptr;
    CUresult (*get)(int*, CUfunction_attribute, CUfunction) = nullptr;
    CUresult (*set)(CUfunction, CUfunction_attribute, int) = nullptr;
    CUresult (*launch)(CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                       unsigned, CUstream, void**, void**) = nullptr;
    CUresult (*words)(CUresult, const char**) = nullptr;
};

Status find_function(const char* name, void** function) {
    cudaDriverEntryPointQueryResult found{};
#if CUDART_VERSION >= 12050
    const cudaError_t error =
        cudaGetDriverEntryPointByVersion(name, function, 12000, cudaEnableDefault, &found);
#else  // finds the function of the runtime's own version, 12.0 to 12.4
    const cudaError_t error = cudaGetDriverEntryPoint(name, function, cudaEnableDefault, &found);
#endif
    TRY(cuda_status(error, "load a kernel"));
    if (found == cudaDriverEntryPointSuccess) return Done{};
    return failed("the NVIDIA driver is too old to record on the GPU; install a newer one, or " +
                  std::string(kUseTheCpu));
}

Result<Driver> find_driver() {
    Driver driver;
    const std::pair<const char*, void**> functions[] = {
        {"cuModuleLoadDataEx", reinterpret_cast<void**>(&driver.load)},
        {"cuModuleUnload", reinterpret_cast<void**>(&driver.unload)},
        {"cuModuleGetFunction", reinterpret_cast<void**>(&driver.find_kernel)},
        {"cuModuleGetGlobal", reinterpret_cast<void**>(&driver.find_variable)},
        {"cuFuncGetAttribute", reinterpret_cast<void**>(&driver.get)},
        {"cuFuncSetAttribute", reinterpret_cast<void**>(&driver.set)},
        {"cuLaunchKernel", reinterpret_cast<void**>(&driver.launch)},
        {"cuGetErrorString", reinterpret_cast<void**>(&driver.words)}};
    for (const auto& [name, function] : functions)
        TRY(find_function(name, function));
    return driver;
}

Status driver_status(const Driver& driver, CUresult result, const std::string& wanted) {
    if (result == CUDA_SUCCESS) return Done{};
    const char* words = nullptr;
    driver.words(result, &words);
    return failed("the GPU did not " + wanted + ": " +
                  (words == nullptr ? "error " + std::to_string(result) : std::string(words)) +
                  "; " + kUseTheCpu);
}

class CudaModule final : public GpuModule {
  public:
    CudaModule(const Driver& driver, CUmodule module, CudaEvent begin, CudaEvent end)
        : driver_(driver), module_(module), begin_(std::move(begin)), end_(std::move(end)) {}
    CudaModule(const CudaModule&) = delete;
    CudaModule& operator=(const CudaModule&) = delete;
    // Fails only with an error of an earlier call, which has been reported.
    ~CudaModule() override { static_cast<void>(driver_.unload(module_)); }

    Status write(const char* variable, const void* host, std::uint64_t bytes) override {
        CUdeviceptr address = 0;
        std::size_t has = 0;
        const Status found =
            driver_status(driver_, driver_.find_variable(&address, &has, module_, variable),
                          "find a variable of the kernel");
        if (!found) return found;
        return cuda_status(cudaMemcpy(reinterpret_cast<void*>(address), host,
                                      std::min<std::uint64_t>(bytes, has), cudaMemcpyHostToDevice),
                           "take the trace's addresses");
    }
    Result<double> run(const ModuleLaunch& launch) override {
        const CUfunction kernel = TRY(find(launch.symbol));
        TRY(run(kernel, launch));
        float milliseconds = 0;
        TRY(cuda_status(
            cudaEventElapsedTime(&milliseconds, begin_.get(), end_.get()), "tell the time"));
        return double{milliseconds};
    }
    Result<std::uint32_t> static_shared_bytes(const std::string& symbol) override {
        const CUfunction kernel = TRY(find(symbol));
        int bytes = 0;
        TRY(driver_status(
            driver_, driver_.get(&bytes, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, kernel),
            "tell its shared memory"));
        return static_cast<std::uint32_t>(bytes);
    }

  private:
    Result<CUfunction> find(const std::string& symbol) const {
        CUfunction kernel = nullptr;
        TRY(driver_status(driver_, driver_.find_kernel(&kernel, module_, symbol.c_str()),
                          "find the kernel"));
        return kernel;
    }
    Status run(CUfunction kernel, const ModuleLaunch& launch) {
        const LaunchShape& shape = launch.shape;
        if (shape.dynamic_shared_bytes + shape.static_shared_bytes >
            48 * 1024) {  // 48 KiB need no attribute
            const Status allowed = driver_status(
                driver_,
                driver_.set(kernel, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                            static_cast<int>(shape.dynamic_shared_bytes)),
                "give a block that much shared memory");
            if (!allowed) return allowed;
        }
        std::vector<void*> parameters = launch.parameters;
        cudaError_t error = cudaEventRecord(begin_.get());
        if (error != cudaSuccess) return cuda_status(error, "tell the time");
        const Status launched = driver_status(
            driver_,
            driver_.launch(kernel, shape.grid_x, shape.grid_y, 1, shape.block_x, shape.block_y, 1,
                           shape.dynamic_shared_bytes, nullptr, parameters.data(), nullptr),
            "run the kernel");
        if (!launched) return launched;
        error = cudaEventRecord(end_.get());
        if (error == cudaSuccess) error = cudaEventSynchronize(end_.get());
        return cuda_status(error, "run the kernel");
    }

    Driver driver_;
    CUmodule module_;
    CudaEvent begin_, end_;
};

}  // namespace

Result<std::unique_ptr<GpuModule>> load_module(const std::string& ptx, int registers) {
    const Driver driver = TRY(find_driver());
    Result<CudaEvent> begin = make_event(), end = make_event();
    if (!begin) return begin.error();
    if (!end) return end.error();
    std::array<char, 1024> words{};
    CUjit_option options[] = {CU_JIT_MAX_REGISTERS, CU_JIT_ERROR_LOG_BUFFER,
                              CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
    void* values[] = {reinterpret_cast<void*>(static_cast<std::uintptr_t>(registers)), words.data(),
                      reinterpret_cast<void*>(words.size())};
    CUmodule module = nullptr;
    const CUresult result = driver.load(&module, ptx.c_str(), 3, options, values);
    const std::string wanted =
        "compile the kernel" + (words[0] == 0 ? std::string() : " (" + std::string(words.data()) + ")");
    TRY(driver_status(driver, result, wanted));
    return std::unique_ptr<GpuModule>(std::make_unique<CudaModule>(
        driver, module, std::move(begin).value(), std::move(end).value()));
}

}  // namespace tilereel
