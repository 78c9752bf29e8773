#pragma once
// cudaLaunchKernel and its cooperative form: the arguments lie behind an array of pointers.
#include "tilereel/launch.h"

namespace tilereel::plain {
template <class... Parameters, std::size_t... I>
cudaError_t launch_by_pointers(void (*kernel)(Parameters...), const LaunchShape& shape,
                               void** arguments, bool cooperative, std::index_sequence<I...>) {
    auto thread = [&] {
        kernel(*static_cast<typename std::remove_reference<Parameters>::type*>(arguments[I])...);
    };
    return launch(
        {"", "", 0}, shape, [](void* data) { (*static_cast<decltype(thread)*>(data))(); }, &thread,
        cooperative);
}
}  // namespace tilereel::plain

template <class... Parameters>
cudaError_t cudaLaunchKernel(void (*kernel)(Parameters...), dim3 grid, dim3 block, void** arguments,
                             size_t shared = 0, cudaStream_t stream = nullptr) {
    return tilereel::plain::launch_by_pointers(kernel, {grid, block, shared, stream}, arguments,
                                               false, std::index_sequence_for<Parameters...>());
}
template <class... Parameters>
cudaError_t cudaLaunchCooperativeKernel(void (*kernel)(Parameters...), dim3 grid, dim3 block,
                                        void** arguments, size_t shared = 0,
                                        cudaStream_t stream = nullptr) {
    return tilereel::plain::launch_by_pointers(kernel, {grid, block, shared, stream}, arguments,
                                               true, std::index_sequence_for<Parameters...>());
}
