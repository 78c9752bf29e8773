#include "tests/benchmarks/interleaved_medians.h"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <ctime>

#include "kernels/cuda/cuda_handles.h"

namespace tilereel {
namespace {

double microseconds(int launches, const Launch& launch, const CudaEvent& begin,
                    const CudaEvent& end) {
    cudaError_t error = cudaEventRecord(begin.get());
    for (int i = 0; i < launches; ++i)
        if (!launch()) return 0;
    if (error == cudaSuccess) error = cudaEventRecord(end.get());
    if (error == cudaSuccess) error = cudaEventSynchronize(end.get());
    float milliseconds = 0;
    if (error == cudaSuccess) error = cudaEventElapsedTime(&milliseconds, begin.get(), end.get());
    return error == cudaSuccess ? milliseconds * 1e3 / launches : 0;
}

double median(std::vector<double> values) {
    std::ranges::sort(values);
    return values[values.size() / 2];
}

}  // namespace

std::vector<double> interleaved_medians(int launches, int rounds,
                                        const std::vector<Launch>& racers) {
    const auto begin = make_event(), end = make_event();
    std::vector<double> medians(racers.size());
    if (!begin || !end) return medians;
    std::vector<std::vector<double>> times(racers.size());
    for (int round = 0; round <= rounds; ++round)
        for (std::size_t racer = 0; racer < racers.size(); ++racer) {
            const double us = microseconds(launches, racers[racer], *begin, *end);
            if (round > 0) times[racer].push_back(us);
        }
    std::ranges::transform(times, medians.begin(), median);
    return medians;
}

std::string machine_fields(const std::string& gpu, const Cublas& cublas) {
    const std::time_t now = std::time(nullptr);
    char date[16];
    std::strftime(date, sizeof date, "%Y-%m-%d", std::gmtime(&now));
    const std::string toolkit =
        std::to_string(CUDART_VERSION / 1000) + "." + std::to_string(CUDART_VERSION % 1000 / 10);
    std::string fields = gpu;
    for (const std::string& field :
         {driver_version(), cublas.version(), toolkit, std::string(date)})
        fields += "," + field;
    return fields;
}

}  // namespace tilereel
