// Loads, stores and atomic operations; st.async and red.async, which complete bytes of an mbarrier.
// PTX ISA, "Data Movement and Conversion Instructions: ld,
// st", "Parallel Synchronization and Communication Instructions: atom, red".
#include <algorithm>
#include <array>

#include "instrumentation/cuda/hooks.h"
#include "instrumentation/cuda/include/tilereel/shared_barriers.h"
#include "instrumentation/cuda/runtime/block/worker.h"
#include "instrumentation/cuda/runtime/inline_ptx/inline_address.h"
#include "instrumentation/cuda/runtime/inline_ptx/inline_atomics.h"
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
    std::shared_ptr<PtxAddress> barrier;  // of st.async and red.async
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

// Its bytes arrive at the barrier at once.
void complete(PtxFrame& frame, const PtxStep& step) {
    const Access& access = access_of(step);
    if (access.barrier == nullptr) return;
    enter_call(frame, step, "mbarrier.complete_tx");
    complete_bytes(access.barrier->pointer(frame), access.site.width_bytes);
}
Status bind_completion(const PtxBinder& binder, std::size_t operand, Access& access) {
    if (!binder.instruction().has("async")) return Done{};
    note_shared_barriers(true);
    access.barrier = TRY(address_of(binder, operand, space_of(binder.instruction())));
    return Done{};
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
    complete(frame, step);
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
    const bool is_async = binder.instruction().has("async");
    TRY(binder.expect_operands(is_async ? 3 : 2, 3));
    auto access = std::make_shared<Access>();
    PtxStep step;
    step.run = store;
    access->sources = TRY(binder.sources(1, last_type(binder.instruction())));
    access->site.kind = SiteKind::kStore;
    TRY(bind_access(binder, 0, *access));
    TRY(bind_completion(binder, 2, *access));
    step.details = std::move(access);
    return step;
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
        old[i] = change_atomically(access.type, static_cast<Atomic>(step.numbers[0]),
                                   static_cast<unsigned char*>(to) + i * bytes,
                                   get(frame, access.sources[i]), c);
    }
    if (site != nullptr) tilereel_stored(to);
    complete(frame, step);
    for (std::size_t i = 0; i < access.targets.size(); ++i)
        put(frame, access.targets[i], extended(access.type, old[i]));
}

template <bool returns>
Result<PtxStep> bind_atomic(const PtxBinder& binder) {
    const PtxInstruction& instruction = binder.instruction();
    const std::size_t first = returns ? 1 : 0;
    TRY(binder.expect_operands(first + 2, first + 4));
    const PtxType type = last_type(instruction);
    auto access = std::make_shared<Access>();
    if (returns) access->targets = TRY(binder.targets(0));
    access->sources = TRY(binder.sources(first + 1, type));
    PtxStep step;
    step.run = atomic;
    const AtomicFacts* const facts = atomic_named(instruction);
    if (facts == nullptr) return binder.refuse("it names no operation that Tilereel knows");
    if (is_floating(type) && !is_of_floats(facts->operation))
        return binder.refuse("PTX does not have it for this type");
    step.numbers[0] = std::uint32_t(facts->operation);
    access->site.kind = SiteKind::kAtomic;
    access->site.callee = facts->function;
    // bind_access() counts elements by the sources.
    const std::size_t elements = access->sources.size();
    TRY(bind_access(binder, first, *access));
    access->site.callee = facts->function;
    TRY(bind_completion(binder, first + 2, *access));
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
