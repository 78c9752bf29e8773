#pragma once
// cudaLaunchKernel and its variants: they take an array of pointers to the arguments.
#include "tilereel/launch.h"

namespace tilereel::runtime {
template <class... Parameters, std::size_t... I>
cudaError_t launch_by_pointers(void (*kernel)(Parameters...), const LaunchShape& shape,
                               void** arguments, bool cooperative, std::index_sequence<I...>) {
    if (is_captured(shape.stream))
        return capture_launch({"", "", 0}, shape, cooperative, signature_of(kernel), arguments);
    auto thread = [&] {
        call_by_pointers<Parameters...>(reinterpret_cast<const void*>(kernel), arguments,
                                        std::index_sequence<I...>());
    };
    return launch(
        {"", "", 0}, shape, [](void* data) { (*static_cast<decltype(thread)*>(data))(); }, &thread,
        cooperative);
}
// A cast to void* loses the type of a kernel. register_kernel() stores a function that can call it.
void register_kernel(const KernelSignature& signature);
cudaError_t launch_registered(const void* kernel, const LaunchShape& shape, void** arguments,
                              bool cooperative);
// Our pass over the source text replaces (void*)kernel by kernel_pointer * kernel.
struct KernelPointer {
    template <class... Parameters>
    void* operator*(void (*kernel)(Parameters...)) const {
        register_kernel(signature_of(kernel));
        return reinterpret_cast<void*>(kernel);
    }
};
inline constexpr KernelPointer kernel_pointer;
}  // namespace tilereel::runtime

inline cudaError_t cudaLaunchKernel(const void* kernel, dim3 grid, dim3 block, void** arguments,
                                    size_t shared = 0, cudaStream_t stream = nullptr) {
    return tilereel::runtime::launch_registered(kernel, {grid, block, shared, stream}, arguments,
                                                false);
}
inline cudaError_t cudaLaunchCooperativeKernel(const void* kernel, dim3 grid, dim3 block,
                                               void** arguments, size_t shared = 0,
                                               cudaStream_t stream = nullptr) {
    return tilereel::runtime::launch_registered(kernel, {grid, block, shared, stream}, arguments,
                                                true);
}
template <class... Parameters>
cudaError_t cudaLaunchKernel(void (*kernel)(Parameters...), dim3 grid, dim3 block, void** arguments,
                             size_t shared = 0, cudaStream_t stream = nullptr) {
    return tilereel::runtime::launch_by_pointers(kernel, {grid, block, shared, stream}, arguments,
                                                 false, std::index_sequence_for<Parameters...>());
}
template <class... Parameters>
cudaError_t cudaLaunchCooperativeKernel(void (*kernel)(Parameters...), dim3 grid, dim3 block,
                                        void** arguments, size_t shared = 0,
                                        cudaStream_t stream = nullptr) {
    return tilereel::runtime::launch_by_pointers(kernel, {grid, block, shared, stream}, arguments,
                                                 true, std::index_sequence_for<Parameters...>());
}

typedef cudaLaunchAttributeID cudaLaunchAttributeId;
struct cudaLaunchAttribute {
    cudaLaunchAttributeID id;
    cudaLaunchAttributeValue val;
};
struct cudaLaunchConfig_t {
    dim3 gridDim, blockDim;
    size_t dynamicSmemBytes;
    cudaStream_t stream;
    cudaLaunchAttribute* attrs;
    unsigned numAttrs;
};
namespace tilereel::runtime {
inline LaunchShape shape_of(const cudaLaunchConfig_t& config) {
    LaunchShape shape(config.gridDim, config.blockDim, config.dynamicSmemBytes, config.stream);
    for (unsigned i = 0; i < config.numAttrs; ++i)
        if (config.attrs[i].id == cudaLaunchAttributeClusterDimension) {
            const auto& given = config.attrs[i].val.clusterDim;
            shape.cluster = dim3(given.x, given.y, given.z);
        }
    return shape;
}
inline bool is_cooperative(const cudaLaunchConfig_t& config) {
    for (unsigned i = 0; i < config.numAttrs; ++i)
        if (config.attrs[i].id == cudaLaunchAttributeCooperative)
            return config.attrs[i].val.cooperative != 0;
    return false;
}
}  // namespace tilereel::runtime
inline cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* kernel,
                                       void** arguments) {
    return tilereel::runtime::launch_registered(kernel, tilereel::runtime::shape_of(*config),
                                                arguments,
                                                tilereel::runtime::is_cooperative(*config));
}
template <class... Parameters, class... Arguments>
cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t* config, void (*kernel)(Parameters...),
                               Arguments&&... given) {
    std::tuple<typename std::decay<Parameters>::type...> kept(std::forward<Arguments>(given)...);
    return std::apply(
        [&](auto&... each) {
            void* arguments[] = {static_cast<void*>(&each)..., nullptr};
            return tilereel::runtime::launch_by_pointers(
                kernel, tilereel::runtime::shape_of(*config), arguments,
                tilereel::runtime::is_cooperative(*config),
                std::index_sequence_for<Parameters...>());
        },
        kept);
}
