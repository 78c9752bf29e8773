#include "instrumentation/analysis/l2/block_order.h"

#include <algorithm>
#include <array>
#include <unordered_map>

#include "instrumentation/base/check.h"

namespace tilereel {
namespace {

constexpr std::uint64_t kUnitBytes = 64;    // CUDA Runtime API, cudaLimitMaxL2FetchGranularity
constexpr std::uint64_t kChunkBytes = 512;  // is followed or left out as a whole
constexpr std::uint64_t kMostUnits = std::uint64_t{1} << 25;  // places of the list by unit

// The least recently used unit goes. A unit that is read takes twice its bytes: block_order.h.
class L2List {
  public:
    L2List(std::uint64_t units, std::uint64_t room) : node_of_(units, kNone), room_(room) {}

    // Whether the unit is there, and now at the front. `written_back`: dirty units that had to go.
    bool use(std::uint32_t unit, bool write, std::uint64_t& written_back) {
        std::uint32_t node = node_of_[unit];
        const bool hit = node != kNone;
        if (hit) {
            unlink(node);
        } else {
            node = take();
            nodes_[node] = {.unit = unit};
            node_of_[unit] = node;
        }
        Node& used = nodes_[node];
        taken_ -= hit ? used.weight() : 0;
        used.is_read = used.is_read || !write;
        used.is_dirty = used.is_dirty || write;
        taken_ += used.weight();
        link(node);
        while (taken_ > room_ && last_ != node) drop_last(written_back);
        return hit;
    }

  private:
    static constexpr std::uint32_t kNone = ~std::uint32_t{0};
    struct Node {
        std::uint32_t unit = 0, before = kNone, after = kNone;
        bool is_read = false, is_dirty = false;
        [[nodiscard]] std::uint64_t weight() const { return is_read ? 2 : 1; }
    };
    std::uint32_t take() {
        if (!free_.empty()) {
            const std::uint32_t node = free_.back();
            free_.pop_back();
            return node;
        }
        nodes_.emplace_back();
        return static_cast<std::uint32_t>(nodes_.size() - 1);
    }
    void unlink(std::uint32_t node) {
        const Node& n = nodes_[node];
        (n.before == kNone ? first_ : nodes_[n.before].after) = n.after;
        (n.after == kNone ? last_ : nodes_[n.after].before) = n.before;
    }
    void link(std::uint32_t node) {
        nodes_[node].before = kNone;
        nodes_[node].after = first_;
        (first_ == kNone ? last_ : nodes_[first_].before) = node;
        first_ = node;
    }
    void drop_last(std::uint64_t& written_back) {
        const std::uint32_t node = last_;
        const Node& gone = nodes_[node];
        written_back += gone.is_dirty ? 1 : 0;
        taken_ -= gone.weight();
        node_of_[gone.unit] = kNone;
        unlink(node);
        free_.push_back(node);
    }

    std::vector<std::uint32_t> node_of_;
    std::vector<Node> nodes_;
    std::vector<std::uint32_t> free_;
    std::uint32_t first_ = kNone, last_ = kNone;
    std::uint64_t taken_ = 0, room_;
};

std::uint32_t cells_of(std::uint64_t extent) {
    return static_cast<std::uint32_t>(std::clamp<std::uint64_t>(extent, 1, kHeatCells));
}

class L2Runner {
  public:
    explicit L2Runner(const L2Question& question)
        : question_(question),
          launch_(*question.launch),
          at_once_(std::max(question.at_once(), 1u)),
          blocks_(static_cast<std::uint32_t>(std::min<std::uint64_t>(
              launch_.blocks(), std::uint64_t{question.most_waves} * at_once_))) {
        std::uint64_t bytes = 0;
        for (const FootprintArray& array : launch_.arrays()) bytes += array.bytes + kChunkBytes;
        while (bytes / unit_ > kMostUnits) unit_ *= 2;
        for (const FootprintArray& array : launch_.arrays()) {
            first_unit_.push_back(units_);
            units_ += (array.bytes + unit_ - 1) / unit_;
        }
        if (!launch_.all_recorded()) {
            kept_.resize(launch_.arrays().size());
            of_block_.resize(kept_.size() * blocks_);
        }
        chunk_ = std::max(kChunkBytes, unit_);
        while (accesses() / run_.sampled > question_.most_followed) run_.sampled *= 2;
    }

    Result<L2Run> run(const std::atomic<bool>* cancel) {
        begin_waves();
        const auto room = static_cast<std::uint64_t>(question_.l2_bytes) / unit_ / run_.sampled;
        L2List list(units_, room);
        const std::uint64_t steps = begin_of(blocks_ - 1) + kFootprintSteps;
        std::uint32_t first = 0;  // the first position that still runs
        for (std::uint64_t step = 0; step < steps; ++step) {
            if (cancel != nullptr && cancel->load(std::memory_order_relaxed)) return cancelled();
            while (first < blocks_ && begin_of(first) + kFootprintSteps <= step) ++first;
            for (std::uint32_t i = first; i < blocks_ && begin_of(i) <= step; ++i)
                add_step(i, static_cast<std::uint32_t>(step - begin_of(i)), list);
        }
        sum_up();
        return std::move(run_);
    }

  private:
    // The step in which a block begins. In turn, a block of each multiprocessor begins at a time.
    [[nodiscard]] std::uint64_t begin_of(std::uint32_t position) const {
        if (question_.pace == BlockPace::kTogether)
            return std::uint64_t{position / at_once_} * kFootprintSteps;
        return std::uint64_t{position / question_.multiprocessors} * kFootprintSteps /
               std::max(question_.of_each, 1u);
    }
    // Of units, by the first block.
    [[nodiscard]] double accesses() const {
        double bytes = 0;
        for (std::uint32_t step = 0; step < kFootprintSteps; ++step)
            launch_.for_each_run(0, step, [&](const TouchedRun& run) {
                bytes += static_cast<double>(run.end - run.begin + unit_);
            });
        return bytes / static_cast<double>(unit_) * blocks_;
    }

    void begin_waves() {
        for (std::uint32_t first = 0; first < blocks_; first += at_once_) {
            L2Wave wave{.first = first, .count = std::min(at_once_, blocks_ - first)};
            wave.arrays.resize(launch_.arrays().size());
            wave.heat.resize(launch_.arrays().size());
            run_.waves.push_back(std::move(wave));
        }
    }

    void add_step(std::uint32_t position, std::uint32_t step, L2List& list) {
        L2Wave& wave = run_.waves[position / at_once_];
        const std::uint32_t block = question_.order.block_at(launch_.grid(), position);
        if (launch_.all_recorded()) {
            const auto use = [&](const Used& used) { add(wave, used, list); };
            launch_.for_each_run(block, step, [&](const TouchedRun& run) { follow(run, use); });
            return;
        }
        for (ArrayId array = 0; array < launch_.arrays().size(); ++array)
            for (const Used& used : kept_by(position, array, block).of_step(step))
                add(wave, used, list);
    }

    struct Used {
        std::uint32_t unit = 0;  // of its array
        ArrayId array = 0;
        bool written = false;
    };
    // Calls use(Used) for the units of a run that are followed.
    template <class Use>
    void follow(const TouchedRun& run, const Use& use) const {
        for (std::uint64_t chunk = run.begin / chunk_; chunk * chunk_ < run.end; ++chunk) {
            if (!is_followed(run.array, chunk)) continue;
            const std::uint64_t begin = std::max(chunk * chunk_, run.begin) / unit_;
            const std::uint64_t end = (std::min((chunk + 1) * chunk_, run.end) + unit_ - 1) / unit_;
            for (std::uint64_t unit = begin; unit < end; ++unit)
                use({static_cast<std::uint32_t>(unit), run.array, run.written});
        }
    }
    // What a block uses of an array. All blocks of a row of the grid read the same of A, those of a
    // column the same of B: it is found once for all of them.
    struct KeptSteps {
        std::vector<Used> used;
        std::array<std::uint32_t, kFootprintSteps + 1> begin{};
        [[nodiscard]] std::span<const Used> of_step(std::uint32_t step) const {
            return std::span(used).subspan(begin[step], begin[step + 1] - begin[step]);
        }
    };
    const KeptSteps& kept_by(std::uint32_t position, ArrayId array, std::uint32_t block) {
        const KeptSteps*& known = of_block_[position * kept_.size() + array];
        if (known != nullptr) return *known;
        const auto [entry, is_new] = kept_[array].try_emplace(launch_.shift_of(array, block));
        KeptSteps& kept = entry->second;
        for (std::uint32_t step = 0; is_new && step < kFootprintSteps; ++step) {
            launch_.for_each_run_of(array, block, step, [&](const TouchedRun& run) {
                follow(run, [&](const Used& each) { kept.used.push_back(each); });
            });
            kept.begin[step + 1] = static_cast<std::uint32_t>(kept.used.size());
        }
        return *(known = &kept);
    }
    // Fibonacci hashing: Knuth, The Art of Computer Programming, volume 3, section 6.4.
    [[nodiscard]] bool is_followed(ArrayId array, std::uint64_t chunk) const {
        const std::uint64_t hash = (chunk + (std::uint64_t{array} << 40)) * 0x9e3779b97f4a7c15;
        return (hash >> 40 & (run_.sampled - 1)) == 0;
    }

    void add(L2Wave& wave, const Used& used, L2List& list) {
        std::uint64_t written_back = 0;
        const bool hit = list.use(static_cast<std::uint32_t>(first_unit_[used.array] + used.unit),
                                  used.written, written_back);
        const double bytes = static_cast<double>(unit_) * run_.sampled;
        L2Bytes& of = wave.arrays[used.array];
        // To which array what is written back belongs is not kept: most launches write one.
        of.written += static_cast<double>(written_back) * bytes;
        if (used.written) return;
        of.asked += bytes;
        of.fetched += hit ? 0 : bytes;
        HeatCell& cell = cell_of(wave, used.array, used.unit * unit_);
        cell.asked += static_cast<float>(bytes);
        cell.fetched += hit ? 0 : static_cast<float>(bytes);
    }

    HeatCell& cell_of(L2Wave& wave, ArrayId id, std::uint64_t byte) const {
        const FootprintArray& array = launch_.arrays()[id];
        const auto [rows, columns] = heat_extents(array);
        std::vector<HeatCell>& heat = wave.heat[id];
        if (heat.empty()) heat.resize(std::size_t{rows} * columns);
        const std::uint64_t all = std::max<std::uint64_t>(array.bytes / array.row_bytes, 1);
        const std::uint64_t row = std::min(byte / array.row_bytes, all - 1) * rows / all;
        const std::uint64_t column = byte % array.row_bytes * columns / array.row_bytes;
        return heat[row * columns + column];
    }

    void sum_up() {
        run_.arrays.resize(launch_.arrays().size());
        const auto add_to = [](L2Bytes& to, const L2Bytes& from, double times) {
            to.asked += times * from.asked;
            to.fetched += times * from.fetched;
            to.written += times * from.written;
        };
        // The last wave that is run has no blocks after it, and stands for none.
        const std::size_t count = run_.waves.size();
        const std::uint32_t left_out = launch_.blocks() - blocks_;
        const std::size_t first = left_out > 0 ? count / 2 : count;
        for (std::size_t i = 0; i < count; ++i) {
            const L2Wave& wave = run_.waves[i];
            double times = 1;
            if (left_out > 0 && i + 1 == count) break;
            if (i >= first)
                times += static_cast<double>(left_out + wave.count) / wave.count /
                         static_cast<double>(count - 1 - first);
            for (std::size_t array = 0; array < wave.arrays.size(); ++array) {
                add_to(run_.arrays[array], wave.arrays[array], times);
                add_to(run_.all, wave.arrays[array], times);
            }
        }
    }

    const L2Question& question_;
    const LaunchFootprint& launch_;
    std::uint32_t at_once_, blocks_;  // `blocks_`: that are run
    std::uint64_t unit_ = kUnitBytes, chunk_ = kChunkBytes, units_ = 0;
    std::vector<std::uint64_t> first_unit_;                          // by array
    std::vector<std::unordered_map<std::int64_t, KeptSteps>> kept_;  // by array and shift
    std::vector<const KeptSteps*> of_block_;  // by position and array; nullptr: not found yet
    L2Run run_;
};

}  // namespace

std::uint32_t BlockOrder::block_at(const Dim3& grid, std::uint32_t position) const {
    if (group_rows <= 1) return position;
    const std::uint32_t plane = grid.x * grid.y, z = position / plane, in_plane = position % plane;
    const std::uint32_t group = in_plane / (group_rows * grid.x);
    const std::uint32_t first_row = group * group_rows;
    const std::uint32_t rows = std::min(group_rows, grid.y - first_row);
    const std::uint32_t in_group = in_plane - first_row * grid.x;
    const std::uint32_t x = in_group / rows, y = first_row + in_group % rows;
    return z * plane + y * grid.x + x;
}

std::pair<std::uint32_t, std::uint32_t> heat_extents(const FootprintArray& array) {
    if (array.row_bytes == 0) return {1, 1};
    return {cells_of(array.bytes / array.row_bytes), cells_of(array.row_bytes / kUnitBytes)};
}

Result<L2Run> run_through_l2(const L2Question& question, const std::atomic<bool>* cancel) {
    dcheck(question.launch != nullptr && question.most_waves >= 4);
    if (question.launch->blocks() == 0) return L2Run{};
    return L2Runner(question).run(cancel);
}

}  // namespace tilereel
