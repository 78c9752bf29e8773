// From the events of warps to a Trace.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <sstream>
#include <tuple>

#include "instrumentation/plain/runtime/async_copies.h"
#include "instrumentation/plain/runtime/fault_words.h"
#include "instrumentation/plain/runtime/launch.h"
#include "instrumentation/plain/runtime/numbers.h"
#include "instrumentation/plain/runtime/site_pieces.h"
#include "instrumentation/plain/runtime/trace_arrays.h"
#include "instrumentation/record/kept_sums.h"
#include "instrumentation/record/merge.h"
#include "instrumentation/trace/handed_trace.h"
#include "instrumentation/trace/trace_file.h"

namespace tilereel::plain {
namespace {

constexpr std::uint64_t kAllValues = std::uint64_t{1} << 22;  // words: more are thinned out
constexpr std::uint32_t kInterval = 16;
constexpr std::size_t kRecordsKept = std::size_t{1} << 15;

// What the recorder keeps at a site of the plugin's.
struct SiteNumbers {
    SiteId id = 0;
    std::uint32_t base = 0;  // of a multiply-add: the sum's number; of a local: the element
};

std::optional<AtomicKind> atomic_kind(std::string_view callee) {
    static const std::map<std::string_view, AtomicKind> kinds = {
        {"atomicAdd", AtomicKind::kAdd},           {"atomicSub", AtomicKind::kSubtract},
        {"atomicMin", AtomicKind::kMinimum},       {"atomicMax", AtomicKind::kMaximum},
        {"atomicInc", AtomicKind::kIncrement},     {"atomicDec", AtomicKind::kDecrement},
        {"atomicAnd", AtomicKind::kAnd},           {"atomicOr", AtomicKind::kOr},
        {"atomicXor", AtomicKind::kXor},           {"atomicExch", AtomicKind::kExchange},
        {"atomicCAS", AtomicKind::kCompareAndSwap}};
    callee = callee.substr(0, callee.find('_'));
    const auto found = kinds.find(callee);
    return found == kinds.end() ? std::nullopt : std::optional(found->second);
}

std::string read_text(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

class TraceRecorder final : public LaunchRecorder {
  public:
    explicit TraceRecorder(const LaunchFacts& facts) : facts_(facts), arrays_(facts.number + 1) {
        const Kernel* const kernel = running_kernel();
        files_.push_back(kernel != nullptr ? kernel->file : facts.file);
        batch_.known_arrays = 0xffff;
    }

    void begin_block(std::uint32_t block) override {
        if (batch_.records() > kRecordsKept) merge();
        block_ = block;
        ++blocks_;
        mark_ = batch_.mark();
        kept_sums_.begin_block(
            static_cast<std::uint32_t>((facts_.block.count() + kLanes - 1) / kLanes));
    }
    void undo_block() override { batch_.roll_back(mark_); }
    void begin_segment(std::uint32_t epoch, std::uint32_t warp) override {
        warp_ = warp;
        batch_.begin_segment(block_, epoch, static_cast<std::uint16_t>(warp));
    }
    void end_segment() override { batch_.end_segment(); }
    void expect_blocks(std::size_t count) override { expected_blocks_ = count; }
    // An assignment is nothing without its value; multiply-adds are counted.
    [[nodiscard]] bool keeps_assignments() const override {
        return options().assignments && !is_past_budget();
    }
    void add_turn(const std::vector<WarpEvent>& events) override {
        thins_ = options().interval > 1 || (options().interval == 0 && is_past_budget());
        if (thins_) find_last_sums(events);
        for (std::size_t i = 0; i < events.size(); ++i) add(events[i], i);
    }
    void add_call(const plain::Site* site, std::uint32_t mask, MeetingKind kind,
                  const std::uint32_t* of_kind) override;
    void add_fault(const FaultPlace& place) override { faults_.add(place); }
    void add_finding(const RecordedFinding& finding) override { findings_.push_back(finding); }
    void finish(const Worker& worker, const std::vector<std::uint32_t>& chosen,
                std::uint64_t unhooked_blocks, bool complete) override;

  private:
    void merge();
    void add(const WarpEvent& event, std::size_t index);
    void add_access(const WarpEvent& event);
    void add_value(const WarpEvent& event, std::size_t index);
    void add_phase(const WarpEvent& event);
    void add_box(const BoxCopy& copy);
    void add_parameter(const WarpEvent& event);
    void find_last_sums(const std::vector<WarpEvent>& events);
    [[nodiscard]] bool is_past_budget() const { return values_ > kAllValues; }
    [[nodiscard]] const SiteNumbers& numbers_of(const Row& row);
    [[nodiscard]] SiteNumbers& numbers_of(const plain::Site* site, const MemoryArray* array,
                                          std::uint32_t place);
    SiteId new_site(const plain::Site& site, const MemoryArray* array, std::uint32_t width,
                    LocalId local);
    [[nodiscard]] std::uint16_t file_of(const char* path);
    [[nodiscard]] LocalId local_of(const plain::Site& site);

    LaunchFacts facts_;
    Trace trace_;
    std::optional<Merger> merger_;
    std::size_t blocks_ = 0, expected_blocks_ = 1;
    Batch batch_;
    Batch::Mark mark_;
    std::uint32_t block_ = 0;
    TraceArrays arrays_;
    std::vector<std::string> files_;
    std::vector<Local> locals_;
    std::map<std::pair<std::string, std::string>, LocalId> local_numbers_;  // by name and function
    std::map<std::pair<LocalId, std::uint32_t>, std::uint32_t> sums_;
    std::map<std::uint32_t, std::uint32_t> barriers_;  // numbers, by place in shared memory
    std::map<const plain::Site*, bool> seen_parameters_;
    std::vector<NamedInteger> integers_;
    std::vector<NamedNumber> numbers_;
    std::uint64_t values_ = 0;
    bool thins_ = false;  // of this turn not all values are kept
    KeptSums kept_sums_{options().interval > 1 ? options().interval : kInterval};
    std::uint32_t warp_ = 0;
    std::vector<char> last_;            // by event of the turn: a sum's last of it
    std::vector<std::uint32_t> later_;  // by sum: lanes with a later one in the turn
    Faults faults_;
    std::vector<RecordedFinding> findings_;
    std::map<std::tuple<const plain::Site*, const MemoryArray*, std::uint32_t>, SiteNumbers> known_;
};

// The batch stays small enough for the processor's caches.
void TraceRecorder::merge() {
    if (!merger_) merger_.emplace(trace_, expected_blocks_ / std::max<std::size_t>(blocks_, 1) + 1);
    merger_->add(batch_);
    batch_.clear_records();
}

// A worker's rows stay where they are from turn to turn.
const SiteNumbers& TraceRecorder::numbers_of(const Row& row) {
    if (row.kept == nullptr)
        row.kept = row.array != nullptr
                       ? &numbers_of(row.site, row.array, 0)
                       : &numbers_of(row.site, nullptr, static_cast<std::uint32_t>(row.base));
    return *static_cast<const SiteNumbers*>(row.kept);
}

SiteNumbers& TraceRecorder::numbers_of(const plain::Site* site, const MemoryArray* array,
                                       std::uint32_t place) {
    const auto [entry, fresh] = known_.try_emplace({site, array, place});
    SiteNumbers& numbers = entry->second;
    if (!fresh) return numbers;
    if (array != nullptr) {
        numbers.id = new_site(*site, array, piece_bytes(*site), kNoLocal);
        return numbers;
    }
    const LocalId local = local_of(*site);
    numbers.id = new_site(*site, nullptr, site->width_bytes, local);
    const std::uint32_t element = place / std::max(1u, site->width_bytes);
    numbers.base = element;
    if (site->kind == SiteKind::kMultiplyAdd) {
        const auto next = static_cast<std::uint32_t>(sums_.size());
        numbers.base = sums_.try_emplace({local, element}, next).first->second;
        batch_.accumulators = std::max(batch_.accumulators, numbers.base + 1);
    }
    return numbers;
}

SiteId TraceRecorder::new_site(const plain::Site& site, const MemoryArray* array,
                               std::uint32_t width, LocalId local) {
    tilereel::Site made;
    made.line = site.line;
    made.column = static_cast<std::uint16_t>(std::min(site.column, 0xffffu));
    made.file = file_of(site.file);
    made.width_bytes = static_cast<std::uint8_t>(width);
    made.local = local;
    if (array != nullptr) made.array = arrays_.number_of(*const_cast<MemoryArray*>(array), site);
    switch (site.kind) {
        case SiteKind::kLoad:
            made.operation = is_async_copy(site) ? Operation::kCopyLoad : Operation::kLoad;
            break;
        case SiteKind::kStore:
            made.operation = is_async_copy(site) ? Operation::kCopyStore : Operation::kStore;
            break;
        case SiteKind::kMultiplyAdd:
            made.operation = Operation::kMultiplyAdd;
            break;
        case SiteKind::kAtomic: {
            made.operation = Operation::kAtomic;
            const auto kind = atomic_kind(site.callee == nullptr ? "" : site.callee);
            made.variety = static_cast<std::uint8_t>(kind.value_or(AtomicKind::kAdd));
            break;
        }
        case SiteKind::kMakeBarrier:
            made.operation = Operation::kMakeBarrier;
            break;
        case SiteKind::kArrive:
            made.operation = Operation::kArrive;
            break;
        case SiteKind::kStartBox:
            made.operation = Operation::kStartBox;
            break;
        case SiteKind::kWaitPhase:
            made.operation = Operation::kWaitPhase;
            break;
        default:
            made.operation = Operation::kAssign;
            break;
    }
    return batch_.add_site(made);
}

std::uint16_t TraceRecorder::file_of(const char* path) {
    const std::string name = path == nullptr ? "" : path;
    const auto found = std::ranges::find(files_, name);
    if (found == files_.end()) {
        files_.push_back(name);
        return static_cast<std::uint16_t>(files_.size() - 1);
    }
    return static_cast<std::uint16_t>(found - files_.begin());
}

LocalId TraceRecorder::local_of(const plain::Site& site) {
    if (site.name == nullptr) return kNoLocal;
    const auto [entry, fresh] = local_numbers_.try_emplace({site.name, site.function},
                                                           static_cast<LocalId>(locals_.size()));
    if (fresh) {
        Local local;
        local.name = site.name;
        local.type =
            element_type_of(site.scalar, site.scalar_bytes, site.type == nullptr ? "" : site.type);
        local.type_name = site.type == nullptr ? "" : site.type;
        local.line = site.line;
        local.function = site.function;
        locals_.push_back(local);
    }
    return entry->second;
}

void TraceRecorder::add(const WarpEvent& event, std::size_t index) {
    if (event.row->array != nullptr)
        add_access(event);
    else if (event.row->site->kind == SiteKind::kParameter)
        add_parameter(event);
    else if (event.row->site->kind >= SiteKind::kMakeBarrier)
        add_phase(event);
    else if (event.row->site->kind != SiteKind::kEnter)
        add_value(event, index);
}

void TraceRecorder::add_access(const WarpEvent& event) {
    const Row& row = *event.row;
    const SiteNumbers& numbers = numbers_of(row);
    const std::uint32_t width = row.site->width_bytes, piece = piece_bytes(*row.site);
    const std::uint32_t place = row.array->place_bytes;
    for (std::uint32_t begin = 0; begin < width; begin += piece) {
        if (begin + place == 0) {
            batch_.add_access(numbers.id, event.words, event.mask);
        } else {
            std::uint32_t offsets[kLanes];
            for (std::uint32_t i = 0; i < kLanes; ++i) offsets[i] = event.words[i] + place + begin;
            batch_.add_access(numbers.id, offsets, event.mask);
        }
        if (row.words < 2) continue;
        const std::uint32_t words = std::max(1u, piece / 4);
        if (piece >= 4) {
            if (begin / 4 + words < row.words)
                batch_.add_values(event.words + (1 + begin / 4) * kLanes, event.mask, words);
        } else {
            std::uint32_t values[kLanes];
            for (std::uint32_t i = 0; i < kLanes; ++i)
                values[i] = event.words[(1 + begin / 4) * kLanes + i] >> 8 * (begin % 4) &
                            (piece == 1 ? 0xffu : 0xffffu);
            batch_.add_values(values, event.mask, 1);
        }
    }
}

void TraceRecorder::add_value(const WarpEvent& event, std::size_t index) {
    const Row& row = *event.row;
    if (row.site->kind != SiteKind::kMultiplyAdd && is_past_budget()) return;
    const SiteNumbers& numbers = numbers_of(row);
    batch_.add_plain(numbers.id, numbers.base, event.mask);
    if (thins_ && !kept_sums_.is_due(warp_, numbers.base, event.mask) && last_[index] == 0) return;
    batch_.add_values(event.words, event.mask, row.words);
    values_ += std::uint64_t{row.words} * static_cast<unsigned>(std::popcount(event.mask));
}

// The words of an event at a barrier: shared_barriers.cpp. A record for each phase.
void TraceRecorder::add_phase(const WarpEvent& event) {
    plain::Site* const site = event.row->site;
    const auto [entry, fresh] = known_.try_emplace({site, nullptr, 0});
    if (fresh) entry->second.id = new_site(*site, nullptr, 4, kNoLocal);
    const auto word = [&](std::uint32_t row, std::uint32_t lanes) {
        return event.words[row * kLanes + static_cast<std::uint32_t>(std::countr_zero(lanes))];
    };
    for (std::uint32_t left = event.mask; left != 0;) {
        const std::uint32_t place = word(0, left), phase = word(1, left);
        std::uint32_t lanes = 0;
        for (std::uint32_t rest = left; rest != 0; rest &= rest - 1)
            if (word(0, rest) == place && word(1, rest) == phase) lanes |= rest & (0u - rest);
        const auto next = static_cast<std::uint32_t>(barriers_.size());
        const std::uint32_t number = barriers_.try_emplace(place, next).first->second;
        batch_.add_plain(entry->second.id, ArrivalPhase{number, phase}.base(), lanes);
        left &= ~lanes;
    }
    if (site->kind != SiteKind::kStartBox) return;
    for (std::uint32_t left = event.mask; left != 0; left &= left - 1)
        add_box(
            *reinterpret_cast<const BoxCopy*>(word(2, left) | std::uint64_t{word(3, left)} << 32));
}

// Each piece takes a lane's place: Operation::kStartBox.
void TraceRecorder::add_box(const BoxCopy& copy) {
    for (const BoxBatch& batch : copy.batches) {
        std::uint32_t from[kLanes], to[kLanes], values[4][kLanes] = {};
        const std::uint32_t words = std::max(1u, batch.width_bytes / 4);
        const std::uint32_t mask = 0xffffffff >> (kLanes - batch.count);
        for (std::uint32_t i = 0; i < batch.count; ++i) {
            const BoxPiece& piece = copy.pieces[batch.first + i];
            from[i] = static_cast<std::uint32_t>(piece.from - copy.from->base);
            to[i] = copy.to->place_bytes + static_cast<std::uint32_t>(piece.to - copy.to->base);
            for (std::uint32_t word = 0; word < words; ++word)
                std::memcpy(&values[word][i], piece.value.data() + 4 * word,
                            std::min(batch.width_bytes, 4u));
        }
        if (!batch.outside) batch_.add_access(numbers_of(batch.load, copy.from, 0).id, from, mask);
        batch_.add_access(numbers_of(batch.store, copy.to, 0).id, to, mask);
        batch_.add_values(values[0], mask, words);
    }
}

// Which multiply-adds are the last of the turn into their sum, for any lane.
void TraceRecorder::find_last_sums(const std::vector<WarpEvent>& events) {
    last_.assign(events.size(), 0);
    std::ranges::fill(later_, 0u);
    for (std::size_t i = events.size(); i-- > 0;) {
        const Row& row = *events[i].row;
        if (row.array != nullptr || row.site->kind != SiteKind::kMultiplyAdd) continue;
        const std::uint32_t sum = numbers_of(row).base;
        if (sum >= later_.size()) later_.resize(sum + 1);
        std::uint32_t& lanes = later_[sum];
        last_[i] = (events[i].mask & ~lanes) != 0;
        lanes |= events[i].mask;
    }
}

void TraceRecorder::add_parameter(const WarpEvent& event) {
    plain::Site* const site = event.row->site;
    if (!seen_parameters_.try_emplace(site, true).second) return;
    const auto lane = static_cast<std::uint32_t>(std::countr_zero(event.mask));
    std::uint64_t value = event.words[lane];
    if (event.row->words > 1) value |= std::uint64_t{event.words[kLanes + lane]} << 32;
    if (site->type != nullptr && site->align_bytes != 0 && site->width_bytes == 8)
        if (MemoryArray* const array = DeviceMemory::instance().find(value)) {
            arrays_.name_by_parameter(*array, *site);
            return;
        }
    if (site->scalar == Scalar::kFloating) {
        const double real = site->width_bytes == 8
                                ? std::bit_cast<double>(value)
                                : double{std::bit_cast<float>(static_cast<std::uint32_t>(value))};
        const bool known = site->width_bytes == 4 || site->width_bytes == 8;
        if (known && std::isfinite(real)) numbers_.push_back({site->name, real});
        return;
    }
    if (site->scalar != Scalar::kSigned && site->scalar != Scalar::kUnsigned) return;
    const auto number = site->width_bytes == 4 && site->scalar == Scalar::kSigned
                            ? static_cast<std::int64_t>(static_cast<std::int32_t>(value))
                            : static_cast<std::int64_t>(value);
    integers_.push_back({site->name, number});
}

namespace {

struct CallKind {
    Operation operation = Operation::kExchange;
    std::uint8_t variety = 0;
};

// "__shfl_down_sync", "shfl_down".
CallKind kind_of_shuffle(std::string_view callee) {
    const auto has = [&](std::string_view part) {
        return callee.find(part) != std::string_view::npos;
    };
    const ExchangeKind kind = has("shfl_up")     ? ExchangeKind::kShuffleUp
                              : has("shfl_down") ? ExchangeKind::kShuffleDown
                              : has("shfl_xor")  ? ExchangeKind::kShuffleXor
                                                 : ExchangeKind::kShuffle;
    return {Operation::kExchange, static_cast<std::uint8_t>(kind)};
}

CallKind kind_of_call(std::string_view callee) {
    const auto exchange = [](ExchangeKind kind) {
        return CallKind{Operation::kExchange, static_cast<std::uint8_t>(kind)};
    };
    const auto has = [&](std::string_view part) {
        return callee.find(part) != std::string_view::npos;
    };
    if (has("__syncthreads")) return {Operation::kBarrier, 0};
    if (has("__syncwarp") || callee == "sync") return {Operation::kWarpBarrier, 0};
    if (has("match_any")) return exchange(ExchangeKind::kMatchAny);
    if (has("match_all")) return exchange(ExchangeKind::kMatchAll);
    if (has("reduce")) return exchange(ExchangeKind::kReduce);
    if (has("ballot")) return exchange(ExchangeKind::kBallot);
    if (has("activemask") || has("coalesced")) return exchange(ExchangeKind::kActiveMask);
    if (has("all")) return exchange(ExchangeKind::kVoteAll);
    if (has("any")) return exchange(ExchangeKind::kVoteAny);
    return {Operation::kWarpBarrier, 0};
}

}  // namespace

void TraceRecorder::add_call(const plain::Site* site, std::uint32_t mask, MeetingKind meeting,
                             const std::uint32_t* of_kind) {
    if (site == nullptr) return;
    const auto [entry, fresh] =
        known_.try_emplace({site, nullptr, static_cast<std::uint32_t>(meeting)});
    if (fresh) {
        const CallKind kind =
            meeting == MeetingKind::kBlockBarrier   ? CallKind{Operation::kBarrier, 0}
            : meeting == MeetingKind::kCommitCopies ? CallKind{Operation::kCommitCopies, 0}
            : meeting == MeetingKind::kShuffle
                ? kind_of_shuffle(site->callee == nullptr ? "" : site->callee)
            : meeting == MeetingKind::kWaitCopies
                ? CallKind{Operation::kWaitCopies, 0}
                : kind_of_call(site->callee == nullptr ? "" : site->callee);
        tilereel::Site made;
        made.line = site->line;
        made.column = static_cast<std::uint16_t>(std::min(site->column, 0xffffu));
        made.file = file_of(site->file);
        made.operation = kind.operation;
        made.variety = kind.variety;
        entry->second.id = batch_.add_site(made);
    }
    const auto first = static_cast<unsigned>(std::countr_zero(mask));
    if (meeting == MeetingKind::kShuffle)
        batch_.add_access(entry->second.id, of_kind, mask);
    else
        batch_.add_plain(
            entry->second.id,
            meeting == MeetingKind::kWaitCopies ? std::min(of_kind[first], kMostGroups) : 0, mask);
}

void TraceRecorder::finish(const Worker& worker, const std::vector<std::uint32_t>& chosen,
                           std::uint64_t unhooked_blocks, bool complete) {
    const std::uint64_t blocks = facts_.grid.count();
    Trace& trace = trace_;
    Launch& launch = trace.launch;
    launch.kernel = facts_.kernel;
    launch.grid = {facts_.grid.x, facts_.grid.y, facts_.grid.z};
    launch.block = {facts_.block.x, facts_.block.y, facts_.block.z};
    launch.number = facts_.number;
    launch.integers = integers_;
    launch.numbers = numbers_;
    trace.recorded_by = {.recorder = "plain",
                         .device = "",
                         .driver = "",
                         .compiler = options().compiler,
                         .accesses_only = options().accesses_only};
    trace.complete = complete;
    trace.accumulator_interval = options().interval != 0 ? options().interval
                                 : is_past_budget()      ? kInterval
                                                         : 1;
    const bool handed_over = options().memory_file >= 0;  // its taker knows the sources
    const auto text_of = [&](const std::string& file) {
        return handed_over ? std::string() : read_text(file);
    };
    trace.source_name = files_[0];
    trace.source = text_of(files_[0]);
    for (std::size_t i = 1; i < files_.size(); ++i)
        trace.more_sources.push_back({files_[i], text_of(files_[i])});
    trace.locals = locals_;
    if (chosen.size() < blocks) trace.chosen_blocks = chosen;
    const std::uint64_t accesses = worker.accesses();
    merge();
    merger_->finish();
    launch.shared_bytes = worker.shared_bytes();
    number_in_order(trace, ranks_of(sums_), ranks_of(barriers_));
    arrays_.put(worker, trace);
    faults_.put(trace, arrays_, [this](const char* path) { return file_of(path); });
    trace.findings.insert(trace.findings.end(), findings_.begin(), findings_.end());
    const std::string path = options().folder + "/launch_" + std::to_string(facts_.number) + ".npz";
    const std::vector<RecordedFinding> findings = trace.findings;
    const std::uint32_t shared_bytes = launch.shared_bytes;
    const Status written = handed_over ? hand_over(std::move(trace), options().memory_file)
                                       : write_trace(trace, path, Compression::kNone);
    Message message("launch");
    message.add("number", facts_.number)
        .add("kernel", facts_.kernel)
        .add("file", facts_.file)
        .add("line", facts_.line)
        .add_list("grid", {facts_.grid.x, facts_.grid.y, facts_.grid.z})
        .add_list("block", {facts_.block.x, facts_.block.y, facts_.block.z})
        .add("shared", shared_bytes)
        .add("recorded", chosen.size())
        .add("unhooked", unhooked_blocks)
        .add("accesses", accesses)
        .add("lockstep", worker.lockstep())
        .add("trace", written && !handed_over ? path : "")
        .add("handed_over", written && handed_over ? 1 : 0)
        .add("reason", written ? std::string() : written.error().message);
    if (chosen.size() < blocks) message.add_list("chosen", chosen);
    message.send();
    for (const RecordedFinding& finding : findings)
        Message("launch_finding")
            .add("number", facts_.number)
            .add("what", finding.what)
            .add("advice", finding.advice)
            .add("line", finding.line)
            .send();
}

}  // namespace

std::unique_ptr<LaunchRecorder> make_recorder(const LaunchFacts& facts) {
    return std::make_unique<TraceRecorder>(facts);
}

}  // namespace tilereel::plain
