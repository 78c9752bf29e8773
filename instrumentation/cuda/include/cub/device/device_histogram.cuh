#pragma once
// cub::DeviceHistogram, on the host.
#pragma GCC system_header
#include "cub/detail/host_call.cuh"

namespace cub {
namespace detail {

// Bins of equal width. Samples outside of all bins are not counted.
template <class Level>
struct EvenBins {
    Level lower, upper;
    int bins;
    template <class Sample>
    int operator()(const Sample& sample) const {
        using Common = typename std::common_type<Sample, Level>::type;
        const Common low = Common(lower), high = Common(upper), value = Common(sample);
        if (!(value >= low && value < high)) return -1;
        int bin;
        if constexpr (std::is_integral<Common>::value)
            bin = int((unsigned __int128)(value - low) * unsigned(bins) /
                      (unsigned __int128)(high - low));
        else
            bin = int((value - low) * (Common(bins) / (high - low)));
        return CUB_MIN(bin, bins - 1);
    }
};
template <class Levels>
struct RangeBins {
    Levels levels;
    int bins;
    template <class Sample>
    int operator()(const Sample& sample) const {
        const int behind = int(std::upper_bound(levels, levels + bins + 1, sample) - levels);
        return behind == 0 || behind > bins ? -1 : behind - 1;
    }
};
// Samples in rows; each pixel has kChannels of them, of which the first kActive are counted.
template <int kChannels, int kActive, class Samples, class Counter, class Bins>
cudaError_t histogram(const char* name, void* storage, std::size_t& bytes, Samples samples,
                      Counter* const* histograms, const Bins* bins, long long pixels,
                      long long rows, std::size_t row_bytes) {
    const long long samples_of_row = (long long)(row_bytes / sizeof(ValueOf<Samples>));
    const long long total = rows > 0 ? (rows - 1) * samples_of_row + pixels * kChannels : 0;
    tilereel_cub_range ranges[kActive + 1] = {range(samples, total)};
    for (int c = 0; c < kActive; ++c) ranges[c + 1] = range(histograms[c], bins[c].bins);
    if (storage == nullptr) {
        bytes = 1;
        return cudaSuccess;
    }
    const cudaError_t error = tilereel_cub_begin(name, ranges, kActive + 1);
    if (error != cudaSuccess) return error;
    for (int c = 0; c < kActive; ++c)
        for (int i = 0; i < bins[c].bins; ++i) histograms[c][i] = 0;
    for (long long row = 0; row < rows; ++row)
        for (long long i = 0; i < pixels; ++i)
            for (int c = 0; c < kActive; ++c) {
                ValueOf<Samples> sample = samples[row * samples_of_row + i * kChannels + c];
                const int bin = bins[c](sample);
                if (bin >= 0) ++histograms[c][bin];
            }
    tilereel_cub_end();
    return cudaSuccess;
}

}  // namespace detail

struct DeviceHistogram {
    template <class Samples, class Counter, class Level, class Count>
    static cudaError_t HistogramEven(void* storage, std::size_t& bytes, Samples samples,
                                     Counter* histogram, int levels, Level lower, Level upper,
                                     Count count, cudaStream_t = 0, bool = false) {
        return HistogramEven(storage, bytes, samples, histogram, levels, lower, upper, count, 1, 0);
    }
    template <class Samples, class Counter, class Level, class Count>
    static cudaError_t HistogramEven(void* storage, std::size_t& bytes, Samples samples,
                                     Counter* histogram, int levels, Level lower, Level upper,
                                     Count row_samples, Count rows, std::size_t row_bytes,
                                     cudaStream_t = 0, bool = false) {
        const detail::EvenBins<Level> bins{lower, upper, levels - 1};
        return detail::histogram<1, 1>("cub::DeviceHistogram::HistogramEven", storage, bytes,
                                       samples, &histogram, &bins, row_samples, rows, row_bytes);
    }
    template <class Samples, class Counter, class Level, class Count>
    static cudaError_t HistogramRange(void* storage, std::size_t& bytes, Samples samples,
                                      Counter* histogram, int levels, const Level* level_list,
                                      Count count, cudaStream_t = 0, bool = false) {
        return HistogramRange(storage, bytes, samples, histogram, levels, level_list, count, 1, 0);
    }
    template <class Samples, class Counter, class Level, class Count>
    static cudaError_t HistogramRange(void* storage, std::size_t& bytes, Samples samples,
                                      Counter* histogram, int levels, const Level* level_list,
                                      Count row_samples, Count rows, std::size_t row_bytes,
                                      cudaStream_t = 0, bool = false) {
        const detail::RangeBins<const Level*> bins{level_list, levels - 1};
        return detail::histogram<1, 1>("cub::DeviceHistogram::HistogramRange", storage, bytes,
                                       samples, &histogram, &bins, row_samples, rows, row_bytes);
    }
    template <int kChannels, int kActive, class Samples, class Counter, class Level, class Count>
    static cudaError_t MultiHistogramEven(void* storage, std::size_t& bytes, Samples samples,
                                          Counter* (&histograms)[kActive],
                                          const int (&levels)[kActive],
                                          const Level (&lower)[kActive],
                                          const Level (&upper)[kActive], Count pixels,
                                          cudaStream_t = 0, bool = false) {
        detail::EvenBins<Level> bins[kActive];
        for (int c = 0; c < kActive; ++c) bins[c] = {lower[c], upper[c], levels[c] - 1};
        return detail::histogram<kChannels, kActive>("cub::DeviceHistogram::MultiHistogramEven",
                                                     storage, bytes, samples, histograms, bins,
                                                     pixels, 1, 0);
    }
    template <int kChannels, int kActive, class Samples, class Counter, class Level, class Count>
    static cudaError_t MultiHistogramRange(void* storage, std::size_t& bytes, Samples samples,
                                           Counter* (&histograms)[kActive],
                                           const int (&levels)[kActive],
                                           const Level* const (&level_lists)[kActive], Count pixels,
                                           cudaStream_t = 0, bool = false) {
        detail::RangeBins<const Level*> bins[kActive];
        for (int c = 0; c < kActive; ++c) bins[c] = {level_lists[c], levels[c] - 1};
        return detail::histogram<kChannels, kActive>("cub::DeviceHistogram::MultiHistogramRange",
                                                     storage, bytes, samples, histograms, bins,
                                                     pixels, 1, 0);
    }
};

}  // namespace cub
