#include "app/race/other_kernels/work_arrays.h"

#include <algorithm>

namespace tilereel {
namespace {

constexpr std::uint64_t kAlignment = 256;  // as cudaMalloc() gives it

std::uint64_t aligned(std::uint64_t bytes) {
    return (bytes + kAlignment - 1) / kAlignment * kAlignment;
}

// Repeats `recorded` over `bytes` of new memory: each copy doubles what is there.
Result<std::shared_ptr<std::byte>> repeated(WorkDevice& device, std::span<const std::byte> recorded,
                                            std::uint64_t bytes) {
    auto memory = TRY(device.memory(bytes));
    std::uint64_t filled = std::min<std::uint64_t>(recorded.size(), bytes);
    if (filled == 0) {  // the program gave it no values that are known
        TRY(device.fill(memory.get(), 0, bytes));
        return memory;
    }
    TRY(device.upload(memory.get(), recorded.first(filled)));
    while (filled < bytes) {
        const std::uint64_t next = std::min(filled, bytes - filled);
        TRY(device.copy(memory.get() + filled, memory.get(), next));
        filled += next;
    }
    return memory;
}

}  // namespace

Result<WorkArrays> WorkArrays::make(WorkDevice& device, const OwnWork& work, const WorkData& data,
                                    std::int64_t n, std::uint64_t most_bytes) {
    WorkArrays made;
    made.work_ = &work;
    made.most_bytes_ = most_bytes;
    for (std::size_t i = 0; i < work.arrays.size(); ++i) {
        const OwnArray& array = work.arrays[i];
        const long long elements = work.elements(static_cast<int>(i), n);
        if (elements <= 0)
            return wrong_call(array.name + " has no element at n = " + std::to_string(n));
        made.bytes_.push_back(static_cast<std::uint64_t>(elements) * array.element_bytes);
        made.set_bytes_ += aligned(made.bytes_.back());
        const std::uint64_t recorded = data.inputs[i].size() / array.element_bytes;
        made.recorded_.push_back(recorded);
        std::shared_ptr<std::byte> input;
        // The last variant begins at most `recorded` elements later.
        if (array.read)
            input = TRY(repeated(device, data.inputs[i],
                                 made.bytes_.back() + recorded * array.element_bytes));
        made.inputs_.push_back(std::move(input));
    }
    TRY(made.reserve(device, 1));
    return made;
}

Status WorkArrays::reserve(WorkDevice& device, std::size_t wanted) {
    const std::uint64_t most = std::max<std::uint64_t>(most_bytes_ / set_bytes_, 1);
    wanted = std::min<std::uint64_t>(wanted, most);
    while (sets_.size() < wanted) {
        auto memory = device.memory(set_bytes_);
        if (!memory && !sets_.empty()) {  // fewer are enough
            most_bytes_ = set_bytes_ * sets_.size();
            return Done{};
        }
        if (!memory) return memory.error();
        Set set{.memory = *memory, .arrays = {}};
        std::byte* next = set.memory.get();
        for (const std::uint64_t bytes : bytes_) {
            set.arrays.push_back(next);
            next += aligned(bytes);
        }
        sets_.push_back(std::move(set));
    }
    return Done{};
}

std::uint64_t WorkArrays::output_bytes() const {
    std::uint64_t bytes = 0;
    for (std::size_t i = 0; i < bytes_.size(); ++i)
        if (work_->arrays[i].written) bytes += bytes_[i];
    return bytes;
}

Status WorkArrays::prepare(WorkDevice& device, std::size_t set, int variant) const {
    for (std::size_t i = 0; i < bytes_.size(); ++i) {
        if (!inputs_[i]) {
            TRY(device.fill(array(set, i), kPoison, bytes_[i]));
            continue;
        }
        const std::uint64_t first = first_element(work_->arrays, i, recorded_[i], variant);
        TRY(device.copy(array(set, i), inputs_[i].get() + first * work_->arrays[i].element_bytes,
                        bytes_[i]));
    }
    return Done{};
}

Result<std::vector<std::vector<std::byte>>> WorkArrays::outputs(WorkDevice& device,
                                                                std::size_t set) const {
    std::vector<std::vector<std::byte>> outputs(bytes_.size());
    for (std::size_t i = 0; i < bytes_.size(); ++i) {
        if (!work_->arrays[i].written) continue;
        outputs[i].resize(bytes_[i]);
        TRY(device.download(outputs[i], array(set, i)));
    }
    return outputs;
}

}  // namespace tilereel
