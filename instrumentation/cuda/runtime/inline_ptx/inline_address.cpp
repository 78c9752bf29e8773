#include "instrumentation/cuda/runtime/inline_ptx/inline_address.h"

#include "instrumentation/cuda/runtime/block/built_in.h"

namespace tilereel::runtime {
namespace {

// Shared addresses of pointers that lie in no array that is known: far above all others.
constexpr std::uint32_t kOfUnknown = std::uint32_t{1} << 30;

// The range that contains the number, or else the one that begins closest before it.
template <std::uint64_t SharedRange::*begin>
SharedRange range_at(std::uint64_t number) {
    SharedRange best;
    const RunningBlock* const block = RunningBlock::current();
    if (block == nullptr) return best;
    for (std::size_t i = 0; const auto range = block->shared_range(i); ++i) {
        if (number < (*range).*begin) continue;
        if (number - (*range).*begin < range->bytes) return *range;
        if (best.base == 0 || (*range).*begin > best.*begin) best = *range;
    }
    return best;
}

}  // namespace

unsigned long shared_address(const void* pointer) noexcept {
    const auto address = reinterpret_cast<std::uint64_t>(pointer);
    const SharedRange range = range_at<&SharedRange::base>(address);
    if (const OtherBlock other = other_block_of(address); other.exists)
        return (other.rank + 1) << RunningCluster::kWindowBits |
               shared_address(reinterpret_cast<const void*>(other.here));
    constexpr std::uint64_t kNear = std::uint64_t{1} << 18;  // more than a block's shared memory
    if (range.base != 0 && address - range.base < range.bytes + kNear)
        return range.place + (address - range.base);
    return std::uint32_t(kOfUnknown +
                         (address - reinterpret_cast<std::uint64_t>(dynamic_shared())));
}

void* shared_pointer(unsigned long address) noexcept {
    const auto low = std::uint32_t(address);
    const PlaceInCluster own = place_in_cluster();
    const std::uint32_t window = low >> RunningCluster::kWindowBits;
    if (own.cluster != nullptr && window != 0 && window <= own.cluster->size())
        return mapped_shared(
            shared_pointer(low & ((std::uint32_t{1} << RunningCluster::kWindowBits) - 1)),
            window - 1);
    const SharedRange range = range_at<&SharedRange::place>(low);
    constexpr std::uint32_t kLeastUnknown = kOfUnknown / 2;
    if (range.base != 0 && low < kLeastUnknown)
        return reinterpret_cast<void*>(range.base + (low - range.place));
    return dynamic_shared() + std::int32_t(low - kOfUnknown);
}

Space space_named(std::string_view word) {
    if (word == "global") return Space::kGlobal;
    if (word.starts_with("shared")) return Space::kShared;
    if (word == "local") return Space::kLocal;
    if (word == "const") return Space::kConstant;
    return Space::kGeneric;
}

Space space_of(const PtxInstruction& instruction) {
    for (std::size_t i = 1; i < instruction.words.size(); ++i)
        if (const Space space = space_named(instruction.words[i]); space != Space::kGeneric)
            return space;
    return Space::kGeneric;
}

Space space_of(std::uint64_t address) {
    const RunningBlock* const block = RunningBlock::current();
    if (block != nullptr && block->owns_stack(address)) return Space::kLocal;
    const SharedRange range = range_at<&SharedRange::base>(address);
    if (range.base != 0 && address - range.base < range.bytes) return Space::kShared;
    if (other_block_of(address).exists) return Space::kSharedCluster;
    return Space::kGlobal;
}

bool is_shared_memory(const void* pointer) noexcept {
    return space_of(reinterpret_cast<std::uint64_t>(pointer)) == Space::kShared;
}

bool is_local_memory(const void* pointer) noexcept {
    return space_of(reinterpret_cast<std::uint64_t>(pointer)) == Space::kLocal;
}

std::uint64_t PtxAddress::value(const PtxFrame& frame) const {
    std::uint64_t sum = 0;
    for (const PtxSource& term : terms)
        sum = term.is_negated ? sum - get(frame, term) : sum + get(frame, term);
    return sum;
}

void* PtxAddress::pointer(const PtxFrame& frame) const {
    const std::uint64_t address = value(frame);
    return space == Space::kShared ? shared_pointer(address) : reinterpret_cast<void*>(address);
}

Result<std::shared_ptr<PtxAddress>> address_of(const PtxBinder& binder, std::size_t operand,
                                               Space space) {
    if (operand >= binder.operands() ||
        binder.instruction().operands[operand].kind != PtxOperandKind::kAddress)
        return failed("has no address in " + binder.instruction().text);
    const PtxOperand& given = binder.instruction().operands[operand];
    auto made = std::make_shared<PtxAddress>();
    made->space = space;
    for (std::uint32_t i = 0; i < given.terms; ++i) {
        PtxSource term = TRY(binder.source(given.parts[i], PtxType::kB64));
        term.is_negated = given.parts[i].is_negated;
        made->terms.push_back(term);
    }
    if (given.parts.size() > given.terms)
        for (const PtxOperand& coordinate : given.parts[given.terms].parts)
            made->coordinates.push_back(TRY(binder.source(coordinate, PtxType::kB32)));
    return made;
}

}  // namespace tilereel::runtime
