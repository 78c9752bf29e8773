#include "app/race/gpu/gpu_clock.h"

namespace tilereel {

Result<GpuClock> GpuClock::make() {
    auto begin = TRY(make_event());
    auto end = TRY(make_event());
    auto late = TRY(make_event());
    return GpuClock(std::move(begin), std::move(end), std::move(late));
}

Result<Lap> GpuClock::time(const std::function<Status()>& launches) const {
    constexpr const char* kWanted = "run the kernel";
    TRY(race_status(cudaDeviceSynchronize(), kWanted));
    TRY(race_status(cudaEventRecord(begin_.get()), "start its clock"));
    const Status launched = launches();
    cudaError_t error = cudaEventRecord(end_.get());
    // An event of the default stream knows nothing of streams that do not wait for it.
    if (error == cudaSuccess) error = cudaDeviceSynchronize();
    if (error == cudaSuccess) error = cudaEventRecord(late_.get());
    if (error == cudaSuccess) error = cudaEventSynchronize(late_.get());
    float stream_ms = 0, device_ms = 0;
    if (error == cudaSuccess) error = cudaEventElapsedTime(&stream_ms, begin_.get(), end_.get());
    if (error == cudaSuccess) error = cudaEventElapsedTime(&device_ms, begin_.get(), late_.get());
    if (!launched) {
        static_cast<void>(cudaGetLastError());
        return launched.error();
    }
    TRY(race_status(error, kWanted));
    return Lap{stream_ms, device_ms};
}

}  // namespace tilereel
