#include "instrumentation/cuda/runtime/launches/launch_tables.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <fstream>
#include <iterator>
#include <optional>
#include <string_view>

#include "instrumentation/base/files/regular_file.h"
#include "instrumentation/cuda/element_of_type.h"
#include "instrumentation/cuda/runtime/block/async_copies.h"
#include "instrumentation/cuda/runtime/running_kernel.h"

namespace tilereel::runtime {
namespace {

std::optional<AtomicKind> atomic_kind(std::string_view callee) {
    static const auto& kinds = *new std::map<std::string_view, AtomicKind>{
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
    constexpr std::uint64_t kMostBytes = std::uint64_t{32} << 20;
    const Result<std::string> text = read_regular_file(path, kMostBytes);
    return text ? *text : std::string();
}

void set_arithmetic(const Site& site, tilereel::Site& made) {
    const auto clamped = [](std::uint32_t count) {
        return static_cast<std::uint16_t>(std::min(count, 0xffffu));
    };
    for (std::size_t pipe = 0; pipe < kArithmeticPipes; ++pipe)
        made.instructions[pipe] = clamped(site.instructions[pipe]);
    made.latency_clocks = clamped(site.latency_clocks);
    made.address = site.address;
}

struct CallKind {
    Operation operation = Operation::kExchange;
    std::uint8_t variety = 0;
};

// `callee` is a name such as "__shfl_down_sync" or "shfl_down".
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

CallKind kind_of(const Site& site, CollectiveKind collective) {
    const char* const callee = site.callee == nullptr ? "" : site.callee;
    switch (collective) {
        case CollectiveKind::kBlockBarrier:
            return {Operation::kBarrier, static_cast<std::uint8_t>(BarrierKind::kBlock)};
        case CollectiveKind::kClusterBarrier:
            return {Operation::kBarrier, static_cast<std::uint8_t>(BarrierKind::kCluster)};
        case CollectiveKind::kGridBarrier:
            return {Operation::kBarrier, static_cast<std::uint8_t>(BarrierKind::kGrid)};
        case CollectiveKind::kCommitCopies:
            return {Operation::kCommitCopies, 0};
        case CollectiveKind::kWaitCopies:
            return {Operation::kWaitCopies, 0};
        case CollectiveKind::kCommitProducts:
            return {Operation::kCommitProducts, 0};
        case CollectiveKind::kWaitProducts:
            return {Operation::kWaitProducts, 0};
        case CollectiveKind::kSetRegisters:
            return {Operation::kSetRegisters, 0};
        case CollectiveKind::kFence:
            return {Operation::kFence,
                    static_cast<std::uint8_t>(std::string_view(callee).starts_with("wgmma")
                                                  ? FenceKind::kProducts
                                                  : FenceKind::kAsyncProxy)};
        case CollectiveKind::kShuffle:
            return kind_of_shuffle(callee);
        default:
            return kind_of_call(callee);
    }
}

// Functions that go past the L1 cache count as volatile: CUDA C++ Programming Guide, "Load
// Functions Using Cache Hints".
AccessKind access_kind(const Site& site) {
    if (site.callee == kBulkStore) return AccessKind::kBulk;
    const std::string_view callee = site.callee == nullptr ? "" : site.callee;
    if (is_rest_of_word(site)) return AccessKind::kRestOfWord;
    const bool is_volatile = callee == "volatile" || callee == "__ldcg" || callee == "__ldcv" ||
                             callee == "__stcg" || callee == "__stwt";
    return is_volatile ? AccessKind::kVolatile : AccessKind::kPlain;
}

void set_operation(const Site& site, tilereel::Site& made) {
    if (site.kind == SiteKind::kLoad || site.kind == SiteKind::kStore)
        made.variety = static_cast<std::uint8_t>(access_kind(site));
    if (is_of_other_block(site) && site.kind != SiteKind::kStore)
        made.variety = static_cast<std::uint8_t>(BlockOfCluster::kOther);
    const std::string_view callee = site.callee == nullptr ? "" : site.callee;
    if (site.kind != SiteKind::kMatrixProduct &&
        (callee.starts_with("ldmatrix") || callee.starts_with("stmatrix"))) {
        made.operation =
            site.kind == SiteKind::kLoad ? Operation::kMatrixLoad : Operation::kMatrixStore;
        made.variety = static_cast<std::uint8_t>(
            callee.ends_with("trans") ? MatrixAccessKind::kTransposed : MatrixAccessKind::kPlain);
        return;
    }
    switch (site.kind) {
        case SiteKind::kMatrixProduct:
            made.operation = Operation::kMatrixProduct;
            // "wgmma 3": the variety.
            if (callee.starts_with("wgmma"))
                made.variety = static_cast<std::uint8_t>(callee.back() - '0');
            break;
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
        case SiteKind::kInitBarrier:
            made.operation = Operation::kInitBarrier;
            break;
        case SiteKind::kArrive:
            made.operation = Operation::kArrive;
            break;
        case SiteKind::kStartBulkCopy:
            made.operation = Operation::kStartBulkCopy;
            break;
        case SiteKind::kWaitPhase:
            made.operation = Operation::kWaitPhase;
            break;
        default:
            made.operation = Operation::kAssign;
            break;
    }
}

}  // namespace

LaunchTables::LaunchTables(const LaunchFacts& facts) : arrays_(facts.number + 1) {
    const Kernel* const kernel = running_kernel();
    files_.push_back(kernel != nullptr ? kernel->file : facts.file);
}

tilereel::Site LaunchTables::site_of(const Site& site, const MemoryArray* array,
                                     std::uint32_t width_bytes) {
    const std::lock_guard lock(mutex_);
    tilereel::Site made;
    made.line = site.line;
    made.column = static_cast<std::uint16_t>(std::min(site.column, 0xffffu));
    made.file = find_or_add_file(site.file);
    made.width_bytes = static_cast<std::uint8_t>(width_bytes);
    if (array != nullptr)
        made.array = arrays_.number_of(*const_cast<MemoryArray*>(array), site);
    else if (site.kind < SiteKind::kInitBarrier)
        made.local = local_of(site);
    set_arithmetic(site, made);
    set_operation(site, made);
    return made;
}

tilereel::Site LaunchTables::site_of_call(const Site& site, CollectiveKind collective) {
    const std::lock_guard lock(mutex_);
    const CallKind kind = kind_of(site, collective);
    tilereel::Site made;
    made.line = site.line;
    made.column = static_cast<std::uint16_t>(std::min(site.column, 0xffffu));
    made.file = find_or_add_file(site.file);
    made.operation = kind.operation;
    made.variety = kind.variety;
    set_arithmetic(site, made);
    return made;
}

std::uint32_t LaunchTables::number_of_sum(LocalId local, std::uint32_t element) {
    const std::lock_guard lock(mutex_);
    const auto next = static_cast<std::uint32_t>(sums_.size());
    return sums_.try_emplace({local, element}, next).first->second;
}

std::uint32_t LaunchTables::number_of_barrier(std::uint32_t place) {
    const std::lock_guard lock(mutex_);
    const auto next = static_cast<std::uint32_t>(barriers_.size());
    return barriers_.try_emplace(place, next).first->second;
}

std::uint16_t LaunchTables::number_of_file(const char* path) {
    const std::lock_guard lock(mutex_);
    return find_or_add_file(path);
}

std::uint16_t LaunchTables::find_or_add_file(const char* path) {
    const std::string name = path == nullptr ? "" : path;
    const auto found = std::ranges::find(files_, name);
    if (found == files_.end()) {
        files_.push_back(name);
        return static_cast<std::uint16_t>(files_.size() - 1);
    }
    return static_cast<std::uint16_t>(found - files_.begin());
}

LocalId LaunchTables::local_of(const Site& site) {
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

void LaunchTables::add_parameter(const Site& site, std::uint64_t value) {
    const std::lock_guard lock(mutex_);
    if (!seen_parameters_.insert(&site).second) return;
    if (site.type != nullptr && site.align_bytes != 0 && site.width_bytes == 8)
        if (MemoryArray* const array = DeviceMemory::instance().find(value)) {
            arrays_.name_by_parameter(*array, site);
            return;
        }
    if (site.scalar == Scalar::kFloating) {
        const double real = site.width_bytes == 8
                                ? std::bit_cast<double>(value)
                                : double{std::bit_cast<float>(static_cast<std::uint32_t>(value))};
        const bool known = site.width_bytes == 4 || site.width_bytes == 8;
        if (known && std::isfinite(real)) numbers_.push_back({site.name, real});
        return;
    }
    if (site.scalar != Scalar::kSigned && site.scalar != Scalar::kUnsigned) return;
    const auto number = site.width_bytes == 4 && site.scalar == Scalar::kSigned
                            ? static_cast<std::int64_t>(static_cast<std::int32_t>(value))
                            : static_cast<std::int64_t>(value);
    integers_.push_back({site.name, number});
}

void LaunchTables::finish(bool reads_sources, Trace& trace) {
    const std::lock_guard lock(mutex_);
    const auto text_of = [&](const std::string& file) {
        return reads_sources ? read_text(file) : std::string();
    };
    trace.launch.integers = integers_;
    trace.launch.numbers = numbers_;
    trace.source_name = files_[0];
    trace.source = text_of(files_[0]);
    for (std::size_t i = 1; i < files_.size(); ++i)
        trace.more_sources.push_back({files_[i], text_of(files_[i])});
    trace.locals = locals_;
    arrays_.add_to(trace);
}

}  // namespace tilereel::runtime
