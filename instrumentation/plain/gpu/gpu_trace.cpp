#include "instrumentation/plain/gpu/gpu_trace.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <deque>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <tuple>

#include "instrumentation/plain/gpu/gpu_arrays.h"
#include "instrumentation/plain/gpu/gpu_dump.h"
#include "instrumentation/plain/gpu/gpu_lanes.h"
#include "instrumentation/record/merge.h"

namespace tilereel::plain {
namespace {

using tilereel_gpu::DeviceRecord;

constexpr std::size_t kRecordsKept = std::size_t{1} << 15;  // the batch stays in the caches

std::string text_of(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

class Converter {
  public:
    Converter(const GpuLaunch& launch, const GpuDump& dump, const GpuFacts& facts)
        : launch_(launch),
          dump_(dump),
          facts_(facts),
          arrays_(dump, facts),
          merger_(trace_, 64),
          lanes_(facts) {
        files_.push_back(std::filesystem::weakly_canonical(launch.file).string());
        batch_.known_arrays = kNoArray;
    }

    Trace run() {
        number_sums();
        for (std::size_t slot = 0; slot < dump_.blocks.size(); ++slot) add_block(slot);
        merger_.add(batch_);
        merger_.finish();
        describe();
        arrays_.put(trace_);
        return std::move(trace_);
    }

  private:
    // A warp's records, from the next on.
    struct Stream {
        std::size_t next = 0, end = 0;
    };

    [[nodiscard]] Stream stream_of(std::size_t warp) const {
        const std::uint64_t begin = dump_.segment_begin[warp];
        const std::uint64_t room = dump_.segment_begin[warp + 1] - begin;
        return {begin, begin + std::min(dump_.counts[warp] & 0xffffffff, room)};
    }

    void add_block(std::size_t slot) {
        const std::uint32_t block = dump_.blocks[slot], warps = dump_.warps();
        std::vector<Stream> streams(warps);
        for (std::uint32_t warp = 0; warp < warps; ++warp)
            streams[warp] = stream_of(slot * warps + warp);
        bool more = true;
        for (std::uint32_t epoch = 0; more; ++epoch) {
            more = false;
            for (std::uint32_t warp = 0; warp < warps; ++warp) {
                if (streams[warp].next >= streams[warp].end) continue;
                batch_.begin_segment(block, epoch, static_cast<std::uint16_t>(warp));
                add_epoch(streams[warp]);
                batch_.end_segment();
                more = more || streams[warp].next < streams[warp].end;
            }
        }
        batch_.end_block(block);
        if (batch_.records() < kRecordsKept) return;
        merger_.add(batch_);
        batch_.clear_records();
    }

    // Lanes of a warp may come to a barrier one after another. None goes on before all have come:
    // the epoch ends where a lane that waits does something.
    void add_epoch(Stream& stream) {
        const std::size_t begin = stream.next;
        std::uint32_t waiting = 0, mask = 0;
        bool apart = false;
        const DeviceRecord* barrier = nullptr;
        for (; stream.next < stream.end; stream.next += 1 + site_at(stream.next).rows_behind()) {
            const DeviceRecord& record = dump_.records[stream.next];
            if (record.site >= facts_.sites.size()) {  // damaged
                stream.end = stream.next;
                break;
            }
            if ((record.mask & waiting) != 0) break;
            const PtxSite& site = site_at(stream.next);
            if (site.operation == Operation::kBarrier) {
                barrier = barrier == nullptr ? &record : barrier;
                waiting |= record.mask;
            } else {
                apart = apart || (mask != 0 && record.mask != mask);
                mask = record.mask;
            }
        }
        const std::size_t end = std::min(stream.next, stream.end);
        if (apart)
            add_apart(begin, end);
        else
            each_event(begin, end, [this](const GpuEvent& event) { write(event); });
        flush_copy();
        if (barrier == nullptr) return;
        GpuEvent event;
        event.site = barrier->site;
        event.caller = barrier->caller;
        event.array = GpuEvent::kNoArray;
        event.mask = waiting;
        event.clock = barrier->clock;
        write(event);
    }
    [[nodiscard]] const PtxSite& site_at(std::size_t record) const {
        return facts_.sites[dump_.records[record].site];
    }

    void add_apart(std::size_t begin, std::size_t end) {
        std::vector<GpuEvent> events;
        std::deque<std::array<std::uint32_t, kWarpSize>> offsets;
        each_event(begin, end, [&](GpuEvent event) {
            if (event.offsets != nullptr) {
                std::copy_n(event.offsets, kWarpSize, offsets.emplace_back().begin());
                event.offsets = offsets.back().data();
            }
            events.push_back(event);
        });
        for (const GpuEvent& event : lanes_.together(events)) write(event);
    }

    // The records but the barriers, with offsets in their arrays. The lanes of a record may be in
    // several arrays: an event for each.
    template <class Work>
    void each_event(std::size_t begin, std::size_t end, Work&& work) {
        for (std::size_t i = begin; i < end; i += 1 + site_at(i).rows_behind()) {
            const DeviceRecord& record = dump_.records[i];
            const PtxSite& site = site_at(i);
            if (site.operation == Operation::kBarrier) continue;
            if (i + site.rows_behind() >= end) return;  // cut off within a store
            GpuEvent event;
            event.site = record.site;
            event.caller = record.caller;
            event.array = GpuEvent::kNoArray;
            event.mask = record.mask;
            event.clock = record.clock;
            event.sum = site.operation == Operation::kMultiplyAdd ? record.high : 0;
            event.values = dump_.words.data() + (i + 1 - site.own_words()) * kWarpSize;
            if (is_access(site.operation))
                each_array(record, site, dump_.words.data() + i * kWarpSize, event, work);
            else
                work(event);
        }
    }
    template <class Work>
    void each_array(const DeviceRecord& record, const PtxSite& site, const std::uint32_t* words,
                    GpuEvent event, Work&& work) {
        const bool shared = record.high == tilereel_gpu::kInSharedMemory;
        const auto address_of = [&](unsigned lane) {
            return shared ? std::uint64_t{words[lane]}
                          : std::uint64_t{record.high} << 32 | words[lane];
        };
        for (std::uint32_t left = record.mask; left != 0;) {
            const auto first = static_cast<unsigned>(std::countr_zero(left));
            const GpuArrays::Place* const place = arrays_.find(shared, address_of(first));
            std::uint32_t mask = 0, offsets[kWarpSize] = {};
            for (std::uint32_t lanes = place == nullptr ? 0 : left; lanes != 0;
                 lanes &= lanes - 1) {
                const auto lane = static_cast<unsigned>(std::countr_zero(lanes));
                const std::uint64_t address = address_of(lane);
                if (address < place->begin || address + site.width_bytes > place->end) continue;
                mask |= 1u << lane;
                offsets[lane] =
                    static_cast<std::uint32_t>(shared ? address : address - place->begin);
            }
            if (mask == 0) {  // in no array, or beyond the end of one
                note_stray(record, site);
                left &= left - 1;
                continue;
            }
            event.array = arrays_.number_of(*place, site.width_bytes);
            event.mask = mask;
            event.offsets = offsets;
            work(event);
            left &= ~mask;
        }
    }

    // Of an asynchronous copy a trace has two records, one behind the other, of the same lanes. A
    // copy of fewer bytes than it writes may have others; then it is shown as a load and a store.
    void write(const GpuEvent& event) {
        const Operation operation = facts_.sites[event.site].operation;
        const bool is_whole = copy_ && operation == Operation::kCopyStore &&
                              copy_->site + 1 == event.site && copy_->mask == event.mask &&
                              copy_->caller == event.caller;
        if (is_whole) {
            write_as(*copy_, Operation::kCopyLoad);
            write_as(event, Operation::kCopyStore);
            copy_.reset();
            return;
        }
        flush_copy();
        if (operation == Operation::kCopyLoad) {
            copy_ = event;
            std::copy_n(event.offsets, kWarpSize, copy_offsets_);
            copy_->offsets = copy_offsets_;
        } else {
            write_as(event, operation == Operation::kCopyStore ? Operation::kStore : operation);
        }
    }
    void flush_copy() {
        if (copy_) write_as(*copy_, Operation::kLoad);
        copy_.reset();
    }
    void write_as(const GpuEvent& event, Operation operation) {
        const PtxSite& site = facts_.sites[event.site];
        const SiteId id = site_of(event, operation);
        if (operation == Operation::kMultiplyAdd)
            batch_.add_plain(id, number_of_sum(event.sum), event.mask);
        else if (event.offsets == nullptr)
            batch_.add_plain(id, site.groups, event.mask);
        else
            batch_.add_access(id, event.offsets, event.mask);
        batch_.keep_clock(event.clock);
        if (site.value_words == 0) return;
        if (site.width_bytes >= 4) {
            batch_.add_values(event.values, event.mask, site.value_words);
            return;
        }
        std::uint32_t narrow[kWarpSize];
        for (unsigned lane = 0; lane < kWarpSize; ++lane)
            narrow[lane] = event.values[lane] & ((1u << 8 * site.width_bytes) - 1);
        batch_.add_values(narrow, event.mask, 1);
    }

    // Elements of a thread's own arrays are numbered by their place, as the source numbers them.
    void number_sums() {
        for (std::size_t warp = 0; warp < dump_.counts.size(); ++warp) {
            const Stream stream = stream_of(warp);
            for (std::size_t i = stream.next; i < stream.end; i += 1 + site_at(i).rows_behind()) {
                const DeviceRecord& record = dump_.records[i];
                if (record.site >= facts_.sites.size()) break;  // damaged
                const bool in_array = (record.high & tilereel_gpu::kSumInRegister) == 0;
                if (site_at(i).operation == Operation::kMultiplyAdd && in_array)
                    sums_.try_emplace(record.high, 0);
            }
        }
        std::uint32_t number = 0;
        for (auto& [sum, its_number] : sums_) its_number = number++;
        batch_.accumulators = number;
    }
    // Sums in registers are numbered as they come, behind those.
    std::uint32_t number_of_sum(std::uint32_t sum) {
        if (sum == last_sum_.first) return last_sum_.second;
        const auto next = static_cast<std::uint32_t>(sums_.size());
        last_sum_ = *sums_.try_emplace(sum, next).first;
        batch_.accumulators = std::max(batch_.accumulators, last_sum_.second + 1);
        return last_sum_.second;
    }

    // Memory that the program got in a way that the recorder does not see, such as from malloc() in
    // a kernel, or an access of no memory at all.
    void note_stray(const DeviceRecord& record, const PtxSite& site) {
        if (site.place.in_library) return;  // such as what grid.sync() waits with
        const PtxPlace place = place_of(record.caller, site);
        for (RecordedFinding& finding : trace_.findings)
            if (finding.kind == RecordedFindingKind::kOutOfBounds && finding.line == place.line) {
                ++finding.count;
                return;
            }
        RecordedFinding finding;
        finding.kind = RecordedFindingKind::kOutOfBounds;
        finding.error = false;
        finding.line = place.line;
        finding.file = file_of(place);
        finding.what = "Line " + std::to_string(place.line) +
                       " accesses memory that is in no array that Tilereel knows on the GPU.";
        finding.advice =
            "These accesses are not in the recording; record on the CPU to see what they are.";
        trace_.findings.push_back(finding);
    }

    // Where the source says it: of a function of CUDA's headers, where that is called.
    [[nodiscard]] PtxPlace place_of(std::uint32_t caller, const PtxSite& site) const {
        const bool called = site.place.in_library && caller != 0 && caller <= facts_.sites.size();
        return called ? facts_.sites[caller - 1].place : site.place;
    }
    SiteId site_of(const GpuEvent& event, Operation operation) {
        const Key key(event.site, event.caller, event.array, operation);
        Cached& cached = cache_[(event.site * 31 + event.caller * 7 + event.array) % cache_.size()];
        if (cached.known && cached.key == key) return cached.id;
        const auto [entry, fresh] = known_.try_emplace(key);
        if (fresh) {
            const PtxSite& site = facts_.sites[event.site];
            const PtxPlace place = place_of(event.caller, site);
            tilereel::Site made;
            made.line = std::max(place.line, 1u);
            made.column = static_cast<std::uint16_t>(std::min(place.column, 0xffffu));
            made.file = file_of(place);
            made.operation = operation;
            if (event.array != GpuEvent::kNoArray) made.array = static_cast<ArrayId>(event.array);
            if (event.array != GpuEvent::kNoArray || operation == Operation::kMultiplyAdd)
                made.width_bytes = site.width_bytes;
            made.variety = site.variety;
            entry->second = batch_.add_site(made);
        }
        cached = {true, key, entry->second};
        return entry->second;
    }
    std::uint16_t file_of(const PtxPlace& place) {
        if (place.file == 0) return 0;
        const std::string name =
            std::filesystem::weakly_canonical(facts_.files[place.file]).string();
        const auto found = std::ranges::find(files_, name);
        if (found == files_.end()) files_.push_back(name);
        return static_cast<std::uint16_t>(found - files_.begin());
    }

    void describe() {
        Launch& launch = trace_.launch;
        const auto kernel = facts_.kernels.find(std::string(dump_.kernel));
        launch.kernel = kernel_name(std::string(dump_.kernel));
        const auto& header = dump_.header;
        launch.grid = {header.grid[0], header.grid[1], header.grid[2]};
        launch.block = {header.block[0], header.block[1], header.block[2]};
        launch.number = launch_.number;
        launch.shared_bytes = static_cast<std::uint32_t>(header.shared_bytes);
        if (kernel != facts_.kernels.end()) add_arguments(kernel->second);
        trace_.recorded_by = {.recorder = "gpu",
                              .device = std::string(dump_.device),
                              .driver = std::string(dump_.driver),
                              .compiler = facts_.compiler,
                              .accesses_only = true};
        trace_.complete = launch_.whole;
        if (dump_.blocks.size() < launch.grid.count())
            trace_.chosen_blocks.assign(dump_.blocks.begin(), dump_.blocks.end());
        trace_.multiprocessors.assign(launch.grid.count(), Trace::kNotRecorded);
        for (std::size_t slot = 0; slot < dump_.blocks.size(); ++slot)
            for (std::uint32_t warp = dump_.warps(); warp-- > 0;)
                if (const std::size_t at = slot * dump_.warps() + warp; dump_.counts[at] != 0)
                    trace_.multiprocessors[dump_.blocks[slot]] =
                        static_cast<std::uint16_t>(dump_.multiprocessors[at]);
        if (const auto found = facts_.left_out.find(std::string(dump_.kernel));
            found != facts_.left_out.end())
            for (const PtxLeftOut& each : found->second) add_left_out(each);
        trace_.source_name = files_[0];
        trace_.source = source_text(0);
        for (std::size_t i = 1; i < files_.size(); ++i)
            trace_.more_sources.push_back({files_[i], source_text(static_cast<std::uint16_t>(i))});
    }
    // A file that cannot be read, or has changed, gets empty lines for those that the sites name.
    [[nodiscard]] std::string source_text(std::uint16_t file) const {
        std::string text = text_of(files_[file]);
        std::uint32_t last = 0;
        for (const tilereel::Site& site : trace_.sites)
            if (site.file == file) last = std::max(last, site.line);
        const auto lines = static_cast<std::uint32_t>(std::ranges::count(text, '\n'));
        if (last > lines) text.append(last - lines, '\n');
        return text;
    }
    void add_arguments(const GpuKernel& kernel) {
        for (std::size_t i = 0; i < std::min(kernel.parameters.size(), dump_.parameters.size());
             ++i) {
            const GpuParameter& parameter = kernel.parameters[i];
            const std::uint64_t bits = dump_.parameters[i];
            const DebugType& type = parameter.type;
            if (parameter.is_pointer || type.is_structure || type.extent_count != 0) continue;
            if (type.scalar == Scalar::kFloating) {
                const double value =
                    type.bytes == 8
                        ? std::bit_cast<double>(bits)
                        : double{std::bit_cast<float>(static_cast<std::uint32_t>(bits))};
                if ((type.bytes == 4 || type.bytes == 8) && std::isfinite(value))
                    trace_.launch.numbers.push_back({parameter.name, value});
            } else if (type.scalar == Scalar::kSigned || type.scalar == Scalar::kUnsigned) {
                const bool is_int = type.bytes == 4 && type.scalar == Scalar::kSigned;
                trace_.launch.integers.push_back(
                    {parameter.name, is_int ? std::int64_t{static_cast<std::int32_t>(bits)}
                                            : static_cast<std::int64_t>(bits)});
            }
        }
    }
    void add_left_out(const PtxLeftOut& each) {
        if (each.place.in_library) return;
        RecordedFinding finding;
        finding.kind = RecordedFindingKind::kNotTaken;
        finding.error = false;
        finding.line = each.place.line;
        finding.file = file_of(each.place);
        finding.what = "Line " + std::to_string(each.place.line) + " uses " + each.instruction +
                       ", which is not recorded on the GPU.";
        finding.advice = "The recording lacks what it does to memory.";
        trace_.findings.push_back(finding);
    }

    using Key = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, Operation>;
    struct Cached {
        bool known = false;
        Key key{};
        SiteId id = 0;
    };

    const GpuLaunch& launch_;
    const GpuDump& dump_;
    const GpuFacts& facts_;
    GpuArrays arrays_;
    Trace trace_;
    Merger merger_;
    Batch batch_;
    GpuLanes lanes_;
    std::optional<GpuEvent> copy_;  // a copy's load that waits for its store
    std::uint32_t copy_offsets_[kWarpSize] = {};
    std::vector<std::string> files_;
    std::map<Key, SiteId> known_;
    std::array<Cached, 256> cache_{};
    std::map<std::uint32_t, std::uint32_t> sums_;  // numbers
    std::pair<std::uint32_t, std::uint32_t> last_sum_{0xffffffff, 0};
};

}  // namespace

Result<Trace> gpu_trace(const GpuLaunch& launch, const GpuFacts& facts) {
    const Result<GpuDump> dump = GpuDump::open(launch.dump);
    if (!dump) return dump.error();
    return Converter(launch, *dump, facts).run();
}

}  // namespace tilereel::plain
