// Loads, stores and atomic operations. PTX ISA, "Data Movement and Conversion Instructions: ld,
// st", "Parallel Synchronization and Communication Instructions: atom, red".
#include <algorithm>
#include <array>

#include "instrumentation/cuda/hooks.h"
#include "instrumentation/cuda/runtime/block/worker.h"
#include "instrumentation/cuda/runtime/inline_ptx/inline_address.h"
#include "instrumentation/cuda/runtime/inline_ptx/inline_floats.h"
#include "instrumentation/cuda/runtime/inline_ptx/inline_sites.h"
#include "instrumentation/cuda/runtime/inline_ptx/inline_values.h"

namespace tilereel::runtime {
// A name of its own: other families have functions of the same names.
namespace ptx_memory {

struct Access final : PtxDetails {
    std::shared_ptr<PtxAddress> address;
    PtxSite site;
    PtxType type = PtxType::kNone;  // of an element
    std::vector<std::uint32_t> targets;
    std::vector<PtxSource> sources;
};
const Access& access_of(const PtxStep& step) { return static_cast<const Access&>(*step.details); }

// The site if the running thread is recorded.
Site* recorded_site(const PtxFrame& frame, const PtxStep& step) {
    if (Worker::current() == nullptr || frame.call == nullptr) return nullptr;
    return &site_of(*frame.call, step, access_of(step).site);
}

std::uint64_t extended(PtxType type, std::uint64_t bits) {
    switch (type) {
        case PtxType::kS8:
            return std::uint64_t(std::int64_t(std::int8_t(bits)));
        case PtxType::kS16:
            return std::uint64_t(std::int64_t(std::int16_t(bits)));
        case PtxType::kS32:
            return std::uint64_t(std::int64_t(std::int32_t(bits)));
        default:
            return bits;
    }
}

void load(PtxFrame& frame, const PtxStep& step) {
    const Access& access = access_of(step);
    const void* from = access.address->pointer(frame);
    if (Site* const site = recorded_site(frame, step)) from = tilereel_load(from, site);
    const std::uint32_t bytes = bytes_of(access.type);
    const auto* const first = static_cast<const unsigned char*>(from);
    std::array<std::uint64_t, 8> values{};  // an instruction may overwrite its own address
    for (std::size_t i = 0; i < access.targets.size(); ++i)
        std::memcpy(&values[i], first + i * bytes, bytes);
    for (std::size_t i = 0; i < access.targets.size(); ++i)
        put(frame, access.targets[i], extended(access.type, values[i]));
}

void store(PtxFrame& frame, const PtxStep& step) {
    const Access& access = access_of(step);
    void* to = access.address->pointer(frame);
    const std::uint32_t bytes = bytes_of(access.type), width = access.site.width_bytes;
    std::array<unsigned char, 64> value{};
    for (std::size_t i = 0; i < access.sources.size(); ++i) {
        const std::uint64_t bits = get(frame, access.sources[i]);
        std::memcpy(value.data() + i * bytes, &bits, bytes);
    }
    Site* const site = recorded_site(frame, step);
    if (site != nullptr && width <= 8) {
        std::uint64_t bits = 0;
        std::memcpy(&bits, value.data(), width);
        to = tilereel_store_int(to, site, bits);
    } else if (site != nullptr) {
        to = tilereel_store_wide(to, site);
    }
    std::memcpy(to, value.data(), width);
    if (site != nullptr && width > 8) tilereel_stored(to);
}

// "ld.volatile", "ld.relaxed.gpu", "ld.acquire.gpu": programs make their flags with them.
bool is_strong(const PtxInstruction& instruction) {
    return std::ranges::any_of(instruction.words, [](const std::string& word) {
        return word == "volatile" || word == "relaxed" || word == "acquire" || word == "release" ||
               word == "mmio" || word == "cv" || word == "cg" || word == "wt";
    });
}

Status bind_access(const PtxBinder& binder, std::size_t address, Access& access) {
    const PtxInstruction& instruction = binder.instruction();
    access.type = last_type(instruction);
    const std::uint32_t bytes = bytes_of(access.type);
    if (bytes == 0 || bytes > 8) return binder.refuse("access at most 64 bits of an element");
    access.address = TRY(address_of(binder, address, space_of(instruction)));
    const std::size_t elements = std::max(access.targets.size(), access.sources.size());
    access.site.width_bytes = std::uint32_t(elements) * bytes;
    access.site.element = access.type;
    const bool is_vector = instruction.has("v2") || instruction.has("v4") || instruction.has("v8");
    const std::size_t named = !is_vector              ? 1
                              : instruction.has("v2") ? 2
                              : instruction.has("v4") ? 4
                                                      : 8;
    if (elements != named)
        return failed("has " + std::to_string(elements) + " registers in " + instruction.text +
                      ", which takes " + std::to_string(named));
    constexpr std::uint32_t kMostBytes = 16;
    if (access.site.width_bytes > kMostBytes) return binder.refuse("access at most 16 bytes");
    if (is_strong(instruction)) access.site.callee = "volatile";
    for (const std::string& word : instruction.words)
        if (word.starts_with("multimem")) return binder.refuse("it needs several GPUs");
    return Done{};
}

Result<PtxStep> bind_load(const PtxBinder& binder) {
    TRY(binder.expect_operands(2, 4));  // a cache policy may follow
    auto access = std::make_shared<Access>();
    PtxStep step;
    step.run = load;
    access->targets = TRY(binder.targets(0));
    access->site.kind = SiteKind::kLoad;
    TRY(bind_access(binder, 1, *access));
    step.details = std::move(access);
    return step;
}

Result<PtxStep> bind_store(const PtxBinder& binder) {
    if (binder.instruction().has("async")) return binder.refuse("it needs clusters of blocks");
    TRY(binder.expect_operands(2, 3));
    auto access = std::make_shared<Access>();
    PtxStep step;
    step.run = store;
    access->sources = TRY(binder.sources(1, last_type(binder.instruction())));
    access->site.kind = SiteKind::kStore;
    TRY(bind_access(binder, 0, *access));
    step.details = std::move(access);
    return step;
}

// Atomic operations: next(old, b, c), by type.
enum class Atomic : std::uint8_t { kAnd, kOr, kXor, kCas, kExch, kAdd, kInc, kDec, kMin, kMax };
struct AtomicFacts {
    std::string_view word;
    Atomic operation;
    const char* function;  // of CUDA
};
constexpr std::array kAtomics = std::to_array<AtomicFacts>({
    {"and", Atomic::kAnd, "atomicAnd"},
    {"or", Atomic::kOr, "atomicOr"},
    {"xor", Atomic::kXor, "atomicXor"},
    {"cas", Atomic::kCas, "atomicCAS"},
    {"exch", Atomic::kExch, "atomicExch"},
    {"add", Atomic::kAdd, "atomicAdd"},
    {"inc", Atomic::kInc, "atomicInc"},
    {"dec", Atomic::kDec, "atomicDec"},
    {"min", Atomic::kMin, "atomicMin"},
    {"max", Atomic::kMax, "atomicMax"},
});

template <class T>
T next_value(Atomic operation, T old, T b, T c) {
    if constexpr (std::is_integral_v<T>) {
        switch (operation) {
            case Atomic::kAnd:
                return T(old & b);
            case Atomic::kOr:
                return T(old | b);
            case Atomic::kXor:
                return T(old ^ b);
            case Atomic::kInc:
                return old >= b ? T(0) : T(old + 1);
            case Atomic::kDec:
                return old == 0 || old > b ? b : T(old - 1);
            default:
                break;
        }
    }
    switch (operation) {
        case Atomic::kCas:
            return std::memcmp(&old, &b, sizeof old) == 0 ? c : old;
        case Atomic::kExch:
            return b;
        case Atomic::kMin:
            return double(b) < double(old) ? b : old;
        case Atomic::kMax:
            return double(b) > double(old) ? b : old;
        default:
            break;
    }
    if constexpr (std::is_integral_v<T>)
        return T(std::make_unsigned_t<T>(old) + std::make_unsigned_t<T>(b));
    else if constexpr (std::is_floating_point_v<T>)
        return old + b;
    else
        return T(double(old) + double(b));
}
template <class T>
T next_integer(Atomic operation, T old, T b, T c) {  // 64 bits are not exact in double
    if (operation == Atomic::kMin) return std::min(old, b);
    if (operation == Atomic::kMax) return std::max(old, b);
    return next_value(operation, old, b, c);
}

// Atomic for the CPU, too: blocks that are not recorded run on several CPU threads. `Word`: an
// unsigned integer of the same size.
template <class Word, class Next>
Word exchange(void* address, Next next) {
    auto* const word = static_cast<Word*>(address);
    Word old = __atomic_load_n(word, __ATOMIC_RELAXED);
    while (!__atomic_compare_exchange_n(word, &old, next(old), true, __ATOMIC_SEQ_CST,
                                        __ATOMIC_RELAXED)) {
    }
    return old;
}
template <class T, class Word>
Word apply(Atomic operation, void* address, Word b, Word c) {
    return exchange<Word>(address, [&](Word old) {
        const auto as = [](Word bits) {
            T value;
            std::memcpy(&value, &bits, sizeof value);
            return value;
        };
        T next;
        if constexpr (std::is_integral_v<T>)
            next = next_integer(operation, as(old), as(b), as(c));
        else
            next = next_value(operation, as(old), as(b), as(c));
        Word bits = 0;
        std::memcpy(&bits, &next, sizeof next);
        return bits;
    });
}
template <class T>
std::uint32_t apply_pair(Atomic operation, void* address, std::uint32_t b, std::uint32_t) {
    return exchange<std::uint32_t>(address, [&](std::uint32_t old) {
        std::array<T, 2> x, y;
        std::memcpy(&x, &old, sizeof x);
        std::memcpy(&y, &b, sizeof y);
        for (int i = 0; i < 2; ++i) x[i] = next_value(operation, x[i], y[i], y[i]);
        std::uint32_t bits = 0;
        std::memcpy(&bits, &x, sizeof x);
        return bits;
    });
}

std::uint64_t change(PtxType type, Atomic operation, void* address, std::uint64_t b,
                     std::uint64_t c) {
    const auto b4 = std::uint32_t(b), c4 = std::uint32_t(c);
    const auto b2 = std::uint16_t(b), c2 = std::uint16_t(c);
    switch (type) {
        case PtxType::kS32:
            return apply<std::int32_t, std::uint32_t>(operation, address, b4, c4);
        case PtxType::kU64:
        case PtxType::kB64:
            return apply<std::uint64_t, std::uint64_t>(operation, address, b, c);
        case PtxType::kS64:
            return apply<std::int64_t, std::uint64_t>(operation, address, b, c);
        case PtxType::kF32:
            return apply<float, std::uint32_t>(operation, address, b4, c4);
        case PtxType::kF64:
            return apply<double, std::uint64_t>(operation, address, b, c);
        case PtxType::kF16:
            return apply<Half, std::uint16_t>(operation, address, b2, c2);
        case PtxType::kBf16:
            return apply<Bfloat, std::uint16_t>(operation, address, b2, c2);
        case PtxType::kB16:
            return apply<std::uint16_t, std::uint16_t>(operation, address, b2, c2);
        case PtxType::kF16x2:
            return apply_pair<Half>(operation, address, b4, c4);
        case PtxType::kBf16x2:
            return apply_pair<Bfloat>(operation, address, b4, c4);
        default:
            return apply<std::uint32_t, std::uint32_t>(operation, address, b4, c4);
    }
}

// numbers[0]: the operation. Sources: b of each element, then c.
void atomic(PtxFrame& frame, const PtxStep& step) {
    const Access& access = access_of(step);
    void* to = access.address->pointer(frame);
    Site* const site = recorded_site(frame, step);
    if (site != nullptr) to = tilereel_atomic(to, site);
    const std::uint32_t bytes = bytes_of(access.type);
    const std::size_t elements = access.site.width_bytes / bytes;
    std::array<std::uint64_t, 8> old{};
    for (std::size_t i = 0; i < elements; ++i) {
        const std::uint64_t c =
            access.sources.size() > elements ? get(frame, access.sources[elements]) : 0;
        old[i] =
            change(access.type, static_cast<Atomic>(step.numbers[0]),
                   static_cast<unsigned char*>(to) + i * bytes, get(frame, access.sources[i]), c);
    }
    if (site != nullptr) tilereel_stored(to);
    for (std::size_t i = 0; i < access.targets.size(); ++i)
        put(frame, access.targets[i], extended(access.type, old[i]));
}

template <bool returns>
Result<PtxStep> bind_atomic(const PtxBinder& binder) {
    const PtxInstruction& instruction = binder.instruction();
    if (instruction.has("async")) return binder.refuse("it needs clusters of blocks");
    const std::size_t first = returns ? 1 : 0;
    TRY(binder.expect_operands(first + 2, first + 4));
    const PtxType type = last_type(instruction);
    auto access = std::make_shared<Access>();
    if (returns) access->targets = TRY(binder.targets(0));
    access->sources = TRY(binder.sources(first + 1, type));
    PtxStep step;
    step.run = atomic;
    const AtomicFacts* facts = nullptr;
    for (const AtomicFacts& known : kAtomics)
        if (instruction.has(known.word)) facts = &known;
    if (facts == nullptr) return binder.refuse("it names no operation that Tilereel knows");
    if (is_floating(type) && facts->operation != Atomic::kAdd && facts->operation != Atomic::kMin &&
        facts->operation != Atomic::kMax && facts->operation != Atomic::kExch)
        return binder.refuse("PTX does not have it for this type");
    step.numbers[0] = std::uint32_t(facts->operation);
    access->site.kind = SiteKind::kAtomic;
    access->site.callee = facts->function;
    // bind_access() counts elements by the sources.
    const std::size_t elements = access->sources.size();
    TRY(bind_access(binder, first, *access));
    access->site.callee = facts->function;
    if (facts->operation == Atomic::kCas) {
        if (elements != 1) return binder.refuse("compare a single element");
        access->sources.push_back(TRY(binder.source(first + 2, type)));
    }
    step.details = std::move(access);
    return step;
}

}  // namespace ptx_memory

PtxBind memory_instruction(std::string_view name) {
    using namespace ptx_memory;
    constexpr std::array kInstructions = std::to_array<PtxEntry>({
        {"ld", bind_load},
        {"ldu", bind_load},
        {"st", bind_store},
        {"atom", bind_atomic<true>},
        {"red", bind_atomic<false>},
    });
    return find_bind(kInstructions, name);
}

}  // namespace tilereel::runtime
