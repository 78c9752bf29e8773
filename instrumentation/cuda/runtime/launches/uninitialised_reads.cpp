#include "instrumentation/cuda/runtime/launches/uninitialised_reads.h"

#include <algorithm>

#include "instrumentation/base/format/with_commas.h"
#include "instrumentation/cuda/runtime/launches/array_writes.h"
#include "instrumentation/cuda/runtime/source_line.h"
#include "instrumentation/trace/launch_names.h"

namespace tilereel::runtime {
namespace {

// One lane's access to elements `first` to `last`.
struct Access {
    const tilereel::Site* site = nullptr;
    std::size_t segment = 0;
    std::uint32_t lane = 0, thread = 0;  // `thread` as writer_number() counts
    std::uint64_t offset_bytes = 0, first = 0, last = 0;
};

// The unwritten elements of an array that a launch reads.
class UnwrittenReads {
  public:
    UnwrittenReads(const Trace& trace, ArrayId array, MemoryArray& memory,
                   const ArrayWrites& writes)
        : trace_(trace),
          array_(array),
          memory_(memory),
          writes_(writes),
          element_bytes_(std::max(1u, trace.arrays[array].element_bytes)) {}

    // Adds a finding if there are any. `who`: "the launch reads", "the recorded blocks read".
    void find(const char* who, std::vector<RecordedFinding>& findings);

  private:
    void examine(const Access& access);
    [[nodiscard]] bool is_unwritten(std::uint64_t element, const Access& access) const;
    [[nodiscard]] bool is_zero(std::uint64_t element) const;
    void count(std::uint64_t element, const Access& access);
    [[nodiscard]] std::string sentence(const char* who, const RecordedFinding& finding) const;
    [[nodiscard]] std::string advice() const;
    [[nodiscard]] std::string name(std::uint64_t element) const {
        const Array& array = trace_.arrays[array_];
        return element_name(array, array.place_of(static_cast<std::uint32_t>(element)));
    }
    static bool is_in(const std::vector<bool>& set, std::uint64_t element) {
        return element < set.size() && set[element];
    }
    static void add_to(std::vector<bool>& set, std::uint64_t element) {
        if (element >= set.size()) set.resize(element + element / 2 + 64);
        set[element] = true;
    }

    const Trace& trace_;
    ArrayId array_;
    MemoryArray& memory_;
    const ArrayWrites& writes_;
    std::uint64_t element_bytes_;
    std::vector<bool> stored_;   // elements that their only writer has stored by now
    std::vector<bool> counted_;  // unwritten elements that were read
    std::uint64_t count_ = 0, lowest_ = 0, highest_ = 0;
    Access first_{};
    bool is_contradicted_ = false;  // an element has content although nothing has written it
};

bool UnwrittenReads::is_unwritten(std::uint64_t element, const Access& access) const {
    const std::uint64_t begin = element * element_bytes_;
    if (memory_.written.any_of(begin, begin + element_bytes_)) return false;
    const std::uint32_t writer = writes_.writer_of(element);
    if (is_update(*access.site)) return writer == ArrayWrites::kUpdates;
    return writer == ArrayWrites::kNobody || (writer == access.thread && !is_in(stored_, element));
}

// Fresh memory is zero, so an element that is not was written in a way that is not recorded.
bool UnwrittenReads::is_zero(std::uint64_t element) const {
    const auto* const bytes = reinterpret_cast<const unsigned char*>(memory_.base);
    const std::uint64_t begin = element * element_bytes_;
    const std::uint64_t end = std::min(begin + element_bytes_, memory_.bytes);
    return std::all_of(bytes + begin, bytes + end, [](unsigned char byte) { return byte == 0; });
}

void UnwrittenReads::count(std::uint64_t element, const Access& access) {
    if (is_in(counted_, element)) return;
    add_to(counted_, element);
    if (writes_.writer_of(element) == ArrayWrites::kNobody && !is_zero(element))
        is_contradicted_ = true;
    if (count_++ == 0) first_ = access, lowest_ = highest_ = element;
    lowest_ = std::min(lowest_, element);
    highest_ = std::max(highest_, element);
}

// An access of written and unwritten elements is no mistake: a vector at the end of an array, or
// the padding of a structure.
void UnwrittenReads::examine(const Access& access) {
    const tilereel::Site& site = *access.site;
    if (site.operation == Operation::kAtomic ? is_update(site) : reads(site.operation)) {
        bool unwritten = !site.is_rest_of_word();  // its store keeps the bits as they are
        for (std::uint64_t i = access.first; i <= access.last && unwritten; ++i)
            unwritten = is_unwritten(i, access);
        for (std::uint64_t i = access.first; i <= access.last && unwritten; ++i) count(i, access);
    }
    if (!writes(site.operation) || is_update(site)) return;
    for (std::uint64_t i = access.first; i <= access.last; ++i)
        if (writes_.writer_of(i) == access.thread) add_to(stored_, i);
}

void UnwrittenReads::find(const char* who, std::vector<RecordedFinding>& findings) {
    for_each_record(
        trace_, array_, [&](const tilereel::Site& site, std::size_t segment, std::uint64_t record) {
            for_each_lane(trace_, record, [&](std::uint32_t lane, std::uint64_t offset) {
                examine({&site, segment, lane, writer_number(trace_, segment, lane), offset,
                         offset / element_bytes_,
                         (offset + site.width_bytes - 1) / element_bytes_});
            });
        });
    if (is_contradicted_) return memory_.written.note_all();
    if (count_ == 0) return;
    RecordedFinding finding;
    finding.kind = RecordedFindingKind::kUninitialisedRead;
    finding.line = first_.site->line;
    finding.column = first_.site->column;
    finding.file = first_.site->file;
    finding.block = trace_.segments.block[first_.segment];
    finding.thread = trace_.segments.warp[first_.segment] * std::uint32_t{kWarpSize} + first_.lane;
    finding.array = array_;
    finding.operation = first_.site->operation;
    finding.width_bytes = first_.site->width_bytes;
    finding.offset_bytes = static_cast<std::int64_t>(first_.offset_bytes);
    finding.what = sentence(who, finding);
    finding.advice = advice();
    findings.push_back(finding);
}

std::string UnwrittenReads::sentence(const char* who, const RecordedFinding& finding) const {
    std::string text = "Thread " + thread_name(trace_.launch.block, finding.thread) + " of block " +
                       block_name(trace_.launch.grid, finding.block) + " reads " +
                       name(first_.first) + " on line " + std::to_string(finding.line) +
                       ", but nothing has written it";
    if (count_ > 1)
        text += std::string("; ") + who + " " + with_commas(count_) + " such elements, " +
                name(lowest_) + " to " + name(highest_);
    return text + ".";
}

std::string UnwrittenReads::advice() const {
    std::uint64_t written = 0;
    for (const auto& [begin, end] : memory_.written.ranges()) written += end - begin;
    const std::uint32_t line =
        memory_.allocated_by == 0 ? 0 : source_line(memory_.allocated_by - 1).line;
    const std::string where = line == 0 ? "" : ", allocated on line " + std::to_string(line);
    if (written == 0)
        return "cudaMalloc does not clear memory: fill the array" + where +
               ", with cudaMemcpy, or clear it with cudaMemset.";
    return "Only " + with_commas(written) + " of the " + with_commas(memory_.bytes) +
           " bytes of the array" + where +
           ", were written before the launch: check the sizes of the copies, which are in bytes.";
}

// Whether blocks may wait for each other: then a block may read what a block without records wrote.
bool may_communicate(const Trace& trace) {
    return std::ranges::any_of(trace.sites, [](const tilereel::Site& site) {
        return site.operation == Operation::kAtomic || site.is_volatile() ||
               (site.operation == Operation::kBarrier &&
                site.variety == static_cast<std::uint8_t>(BarrierKind::kGrid));
    });
}

void examine_array(Trace& trace, ArrayId array, MemoryArray& memory, RecordedPart part) {
    bool is_read = false, is_written = false;
    for (const tilereel::Site& site : trace.sites) {
        if (site.array != array) continue;
        is_read |= reads(site.operation);
        is_written |= writes(site.operation);
    }
    // Something that is not recorded has stored to the array.
    if (memory.is_stored_to && !is_written) return;
    const bool all_known = part == RecordedPart::kAll;
    const bool none_stores = part != RecordedPart::kSomeSoFar && !memory.is_stored_to;
    const bool is_checked = is_read && (all_known || none_stores || !may_communicate(trace));
    if (!is_checked && !(all_known && is_written)) return;
    const ArrayWrites writes(
        trace, array, is_checked ? ArrayWrites::Keep::kWriters : ArrayWrites::Keep::kElements);
    if (!writes.is_known()) return;
    if (is_checked)
        UnwrittenReads(trace, array, memory, writes)
            .find(all_known ? "the launch reads" : "the recorded blocks read", trace.findings);
    if (!all_known || !is_written) return;
    const std::uint64_t element_bytes = std::max(1u, trace.arrays[array].element_bytes);
    writes.for_each_range([&](std::uint64_t first, std::uint64_t last) {
        DeviceMemory::instance().note_written(memory.base + first * element_bytes,
                                              (last - first) * element_bytes);
    });
    memory.is_stored_to = false;
}

}  // namespace

void find_uninitialised_reads(Trace& trace, const TraceArrays& arrays, RecordedPart part) {
    constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 32;  // offsets have 32 bits
    if (DeviceMemory::instance().has_unrecorded_stores()) return;
    for (ArrayId i = 0; i < trace.arrays.size(); ++i) {
        MemoryArray* const memory = arrays.memory_of(i);
        if (memory != nullptr && is_device_only(*memory) && !memory->written.all() &&
            memory->bytes <= kMostBytes)
            examine_array(trace, i, *memory, part);
    }
}

}  // namespace tilereel::runtime
