// Reductions in bulk: cp.reduce.async.bulk. PTX ISA, "Data Movement and Conversion Instructions:
// Asynchronous copy". Each element is an atomic operation of the thread that starts the reduction.
#include "instrumentation/cuda/runtime/inline_ptx/inline_reductions.h"

#include <array>
#include <cstring>

#include "instrumentation/cuda/include/tilereel/shared_barriers.h"
#include "instrumentation/cuda/runtime/block/worker.h"
#include "instrumentation/cuda/runtime/inline_ptx/inline_address.h"
#include "instrumentation/cuda/runtime/inline_ptx/inline_atomics.h"
#include "instrumentation/cuda/runtime/inline_ptx/inline_sites.h"

namespace tilereel::runtime {
namespace {

struct ReductionDetails final : PtxDetails {
    std::shared_ptr<PtxAddress> to, from, barrier;  // `barrier`: null if the target is global
    PtxSource bytes;
    const AtomicFacts* operation = nullptr;
    PtxType type = PtxType::kNone;  // kNone: that of the tensor map
};

struct Reduction final : BulkReduction {
    const PtxFrame* frame = nullptr;
    const PtxStep* step = nullptr;
    const ReductionDetails* details = nullptr;
};

PtxType type_of(const BulkElement& element) {
    if (element.is_bfloat16) return PtxType::kBf16;
    if (element.is_floating)
        return element.bytes == 2   ? PtxType::kF16
               : element.bytes == 4 ? PtxType::kF32
                                    : PtxType::kF64;
    if (element.bytes == 8) return element.is_signed ? PtxType::kS64 : PtxType::kU64;
    return element.is_signed ? PtxType::kS32 : PtxType::kU32;
}

void reduce_piece(const BulkReduction& call, const BulkElement& of_map, void* to, const void* from,
                  unsigned bytes) {
    const auto& self = static_cast<const Reduction&>(call);
    const PtxType type =
        self.details->type == PtxType::kNone ? type_of(of_map) : self.details->type;
    const std::uint32_t width = bytes_of(type);
    Site* const site =
        Worker::current() == nullptr || self.frame->call == nullptr
            ? nullptr
            : &site_of(*self.frame->call, *self.step,
                       {SiteKind::kAtomic, self.details->operation->function, width, type});
    for (std::uint32_t at = 0; at < bytes; at += width) {
        std::uint64_t value = 0;
        std::memcpy(&value, static_cast<const unsigned char*>(from) + at, width);
        void* element = static_cast<unsigned char*>(to) + at;
        if (site != nullptr) element = tilereel_atomic(element, site);
        change_atomically(type, self.details->operation->operation, element, value, 0);
        if (site != nullptr) tilereel_stored(element);
    }
}

Reduction reduction_of(const PtxFrame& frame, const PtxStep& step) {
    Reduction reduction;
    reduction.reduce = reduce_piece;
    reduction.frame = &frame;
    reduction.step = &step;
    reduction.details = static_cast<const ReductionDetails*>(step.details.get());
    return reduction;
}

void reduce_box(PtxFrame& frame, const PtxStep& step) {
    const Reduction reduction = reduction_of(frame, step);
    const ReductionDetails& details = *reduction.details;
    std::array<int, 5> coordinates{};
    for (std::size_t i = 0; i < details.to->coordinates.size(); ++i)
        coordinates[i] = int(std::uint32_t(get(frame, details.to->coordinates[i])));
    enter_call(frame, step, "cp.reduce.async.bulk.tensor");
    reduce_tensor_box(reduction, details.to->pointer(frame), coordinates.data(),
                      unsigned(details.to->coordinates.size()), details.from->pointer(frame));
}

void reduce_bytes(PtxFrame& frame, const PtxStep& step) {
    const Reduction reduction = reduction_of(frame, step);
    const ReductionDetails& details = *reduction.details;
    enter_call(frame, step, "cp.reduce.async.bulk");
    reduce_in_bulk(reduction, details.to->pointer(frame), details.from->pointer(frame),
                   std::uint32_t(get(frame, details.bytes)),
                   details.barrier == nullptr ? nullptr : details.barrier->pointer(frame));
}

}  // namespace

Result<PtxStep> bind_bulk_reduction(const PtxBinder& binder) {
    const PtxInstruction& instruction = binder.instruction();
    auto details = std::make_shared<ReductionDetails>();
    details->operation = atomic_named(instruction);
    if (details->operation == nullptr)
        return binder.refuse("it names no operation that Tilereel knows");
    PtxStep step;
    if (instruction.has("tensor")) {  // [map, {x, y}], [from]
        TRY(binder.expect_operands(2, 3));
        if (instruction.has("im2col_no_offs")) return binder.refuse("use the mode .tile");
        details->to = TRY(address_of(binder, 0, Space::kGeneric));
        details->from = TRY(address_of(binder, 1, Space::kShared));
        if (details->to->coordinates.empty() || details->to->coordinates.size() > 5)
            return binder.refuse("give a box one to five coordinates");
        step.run = reduce_box;
    } else {  // [to], [from], bytes and, to shared memory of the cluster, [barrier]
        const bool to_shared = instruction.has("shared::cluster");
        TRY(binder.expect_operands(to_shared ? 4 : 3, 5));
        details->to = TRY(address_of(binder, 0, to_shared ? Space::kShared : Space::kGlobal));
        details->from = TRY(address_of(binder, 1, Space::kShared));
        details->bytes = TRY(binder.source(2, PtxType::kB32));
        if (to_shared) details->barrier = TRY(address_of(binder, 3, Space::kShared));
        const std::vector<PtxType> types = instruction.types();
        if (types.empty()) return binder.refuse("it names no type");
        details->type = types.back();
        step.run = reduce_bytes;
    }
    step.details = std::move(details);
    return step;
}

}  // namespace tilereel::runtime
