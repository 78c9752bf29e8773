// Products of a warpgroup. PTX ISA, "Asynchronous Warpgroup Level Matrix Multiply-Accumulate
// Instructions": wgmma.
//
// Each warp computes its 16 rows of D by itself when all of its lanes have come, so warps do not
// wait for each other. A product is complete at once; wgmma.fence, commit_group and wait_group are
// recorded, so that the analysis knows when it would be on a GPU. Its record keeps the descriptors,
// from which its reads of shared memory follow (warpgroup_reads.h).
#include <algorithm>
#include <array>
#include <vector>

#include "instrumentation/cuda/include/tilereel/runtime_calls.h"
#include "instrumentation/cuda/runtime/block/thread_findings.h"
#include "instrumentation/cuda/runtime/block/worker.h"
#include "instrumentation/cuda/runtime/inline_ptx/inline_address.h"
#include "instrumentation/cuda/runtime/inline_ptx/inline_sites.h"
#include "instrumentation/cuda/runtime/inline_ptx/inline_values.h"
#include "instrumentation/cuda/runtime/tensor/multiply_warpgroup.h"
#include "instrumentation/trace/fragments/warpgroup_reads.h"

namespace tilereel::runtime {
// A name of its own: other families have functions of the same names.
namespace ptx_warpgroup {

struct Product final : PtxDetails {
    WarpgroupProduct product;
    std::vector<std::uint32_t> d;
    std::vector<PtxSource> a;  // registers; empty: A lies in shared memory
    PtxSource a_descriptor, b_descriptor, scale_d, scale_a, scale_b, major_a, major_b;
};

struct ProductTogether : LanesTogether {
    const Product* product = nullptr;
    PtxFrame* frame = nullptr;
    int warp = 0;  // of the warpgroup
    bool is_done = false;
};

WarpgroupFactors factors_of(const Product& given, const PtxFrame& frame) {
    const auto major = [&](const PtxSource& source) {
        return get(frame, source) == 0 ? MajorDimension::kK : MajorDimension::kMN;
    };
    const auto is_negative = [&](const PtxSource& source) {
        return static_cast<std::int32_t>(get(frame, source)) < 0;
    };
    WarpgroupFactors factors;
    if (given.a.empty()) factors.a_descriptor = matrix_descriptor(get(frame, given.a_descriptor));
    factors.b_descriptor = matrix_descriptor(get(frame, given.b_descriptor));
    factors.a_major = major(given.major_a);
    factors.b_major = major(given.major_b);
    factors.negates_a = is_negative(given.scale_a);
    factors.negates_b = is_negative(given.scale_b);
    factors.adds_d = get_predicate(frame, given.scale_d);
    return factors;
}

// The block's shared memory from its first byte, as far as a descriptor reaches.
std::vector<std::byte> shared_image() {
    constexpr std::size_t kMostBytes = std::size_t{1} << 18;
    std::vector<std::byte> image;
    const RunningBlock& block = *RunningBlock::current();
    for (std::size_t i = 0; const auto range = block.shared_range(i); ++i) {
        const auto& [base, bytes, place] = *range;
        if (place + bytes > kMostBytes) continue;
        image.resize(std::max<std::size_t>(image.size(), place + bytes));
        std::memcpy(image.data() + place, reinterpret_cast<const void*>(base), bytes);
    }
    return image;
}

void multiply_part(std::uint32_t mask, const LanesTogether* const* lanes) {
    if (mask != 0xffffffff) return;
    const auto& first = static_cast<const ProductTogether&>(*lanes[0]);
    const Product& given = *first.product;
    const auto registers = std::size_t(registers_of(given.product, MatrixOperand::kD));
    const auto of_a = std::size_t(registers_of(given.product, MatrixOperand::kA));
    // The warp's part of the registers of 128 threads.
    const auto first_thread = static_cast<std::size_t>(first.warp) * kLanes;
    std::vector<std::uint32_t> d(kWarpgroupThreads * registers), a(kWarpgroupThreads * of_a);
    WarpgroupFactors factors = factors_of(given, *first.frame);
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
        const auto& frame = *static_cast<const ProductTogether&>(*lanes[lane]).frame;
        for (std::size_t i = 0; i < registers; ++i)
            d[(first_thread + lane) * registers + i] = std::uint32_t(frame.slots[given.d[i]]);
        for (std::size_t i = 0; i < given.a.size(); ++i)
            a[(first_thread + lane) * of_a + i] = std::uint32_t(get(frame, given.a[i]));
    }
    if (!given.a.empty()) factors.a_registers = a.data();
    const std::vector<std::byte> image = shared_image();
    if (!multiply(given.product, factors, {.bytes = image, .first_address = 0}, d.data(),
                  first.warp))
        return;
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
        auto& together =
            const_cast<ProductTogether&>(static_cast<const ProductTogether&>(*lanes[lane]));
        for (std::size_t i = 0; i < registers; ++i)
            put(*together.frame, given.d[i], d[(first_thread + lane) * registers + i]);
        together.is_done = true;
    }
}

// Warns if the TMA wrote a matrix in another order than its descriptor says. The order of bytes
// that threads store, or that a copy without a tensor map brings, is not known. A box of rows of 16
// bytes lies as a descriptor without a swizzle says.
void check_swizzle(const PtxFrame& frame, const PtxStep& step, const MatrixDescriptor& matrix) {
    RunningBlock* const block = RunningBlock::current();
    const BoxCopy* const copy = block->shared_barriers().copy_to(
        reinterpret_cast<std::uint64_t>(shared_pointer(matrix.start_bytes)));
    if (copy == nullptr || !copy->is_box) return;
    const auto described =
        matrix.swizzle == Swizzle::kNone ? 0u : std::uint32_t(swizzle_bytes(matrix.swizzle));
    if (copy->swizzle_bytes == described) return;
    const auto text = [](std::uint32_t bytes) {
        return bytes == 0 ? std::string("no swizzle")
                          : "a swizzle of " + std::to_string(bytes) + " bytes";
    };
    warn_once(&step,
              "multiplies a matrix whose descriptor has " + text(described) +
                  ", but the TMA wrote it with " + text(copy->swizzle_bytes) + " (line " +
                  std::to_string(copy->line) + ")",
              "Elements are read from other places than they were written to: give the descriptor "
              "and the tensor map the same swizzle.",
              frame.call->line);
}

// The thread must not access the registers of D before it has waited.
void note_sums(const PtxFrame& frame, const Product& given, PendingSums& pending) {
    for (const std::uint32_t slot : given.d)
        if (slot < frame.operands && frame.places[slot] != nullptr)
            pending.add({.address = reinterpret_cast<std::uint64_t>(frame.places[slot]),
                         .bytes = sizeof(std::uint32_t),
                         .line = frame.call->line});
    pending.issue();
    own_stacks.bytes = 0;
}

void product(PtxFrame& frame, const PtxStep& step) {
    RunningBlock* const block = RunningBlock::current();
    if (block == nullptr) return;
    const auto& given = static_cast<const Product&>(*step.details);
    ProductTogether together;
    together.run = multiply_part;
    together.product = &given;
    together.frame = &frame;
    together.warp = static_cast<int>(thread_number() / kLanes % 4);
    enter_call(frame, step, "wgmma");
    block->run_together(together);
    if (!together.is_done)
        refuse(
            "runs wgmma in a warp of which not all 32 lanes take part, or with a descriptor of a "
            "matrix that lies outside the block's shared memory");
    Worker* const worker = Worker::current();
    if (worker == nullptr || frame.call == nullptr) return;
    const WarpgroupFactors factors = factors_of(given, frame);
    note_sums(frame, given, worker->pending_sums());
    if (given.a.empty()) check_swizzle(frame, step, factors.a_descriptor);
    check_swizzle(frame, step, factors.b_descriptor);
    const WarpgroupOperands operands = {
        .a_in_registers = !given.a.empty(),
        .a_major = factors.a_major,
        .b_major = factors.b_major,
        .a_descriptor = given.a.empty() ? get(frame, given.a_descriptor) : 0,
        .b_descriptor = get(frame, given.b_descriptor)};
    // The variety of the record's site: launch_tables.cpp.
    static constexpr std::array<const char*, WarpgroupOperands::kLastVariety + 1> kCallees = {
        "wgmma 0", "wgmma 1", "wgmma 2", "wgmma 3", "wgmma 4", "wgmma 5", "wgmma 6", "wgmma 7"};
    const std::uint32_t words[WarpgroupOperands::kWords] = {
        std::uint32_t(operands.a_descriptor), std::uint32_t(operands.a_descriptor >> 32),
        std::uint32_t(operands.b_descriptor), std::uint32_t(operands.b_descriptor >> 32)};
    worker->value(
        &site_of(*frame.call, step,
                 {.kind = SiteKind::kMatrixProduct, .callee = kCallees[operands.variety()]}),
        words, WarpgroupOperands::kWords, given.product.code());
}

void note_groups(PtxFrame& frame, const PtxStep& step, const char* callee, CollectiveKind kind,
                 std::uint32_t groups = 0) {
    RunningBlock* const block = RunningBlock::current();
    if (block == nullptr) return;
    enter_call(frame, step, callee);
    block->warp_collective(0, 0, kind, groups);
}
// wgmma.fence, wgmma.commit_group and wgmma.wait_group n
Result<PtxStep> bind_groups(const PtxBinder& binder) {
    const PtxInstruction& instruction = binder.instruction();
    PtxStep step;
    if (instruction.has("fence")) {
        step.run = [](PtxFrame& frame, const PtxStep& run) {
            note_groups(frame, run, "wgmma.fence", CollectiveKind::kFence);
        };
    } else if (instruction.has("commit_group")) {
        step.run = [](PtxFrame& frame, const PtxStep& run) {
            note_groups(frame, run, "wgmma.commit_group", CollectiveKind::kCommitProducts);
            if (Worker* const worker = Worker::current()) worker->pending_sums().commit();
        };
    } else {
        TRY(binder.expect_operands(1, 1));
        step.in[0] = TRY(binder.source(0, PtxType::kB32));
        step.run = [](PtxFrame& frame, const PtxStep& run) {
            const auto newest = std::uint32_t(get(frame, run.in[0]));
            note_groups(frame, run, "wgmma.wait_group", CollectiveKind::kWaitProducts, newest);
            if (Worker* const worker = Worker::current()) worker->pending_sums().wait(newest);
        };
    }
    return step;
}

// wgmma.mma_async d, a-desc or a, b-desc, scale-d, scale-a, scale-b, trans-a, trans-b
Result<PtxStep> bind(const PtxBinder& binder) {
    const PtxInstruction& instruction = binder.instruction();
    if (!instruction.has("mma_async")) return bind_groups(binder);
    PtxStep step;
    if (instruction.has("sp")) return binder.refuse("multiply a dense matrix");
    std::string name;
    for (const std::string& word : instruction.words) name += (name.empty() ? "" : ".") + word;
    const Result<WarpgroupProduct> found = find_warpgroup_product(name);
    if (!found) return binder.refuse(found.error().message);
    TRY(binder.expect_operands(4, 8));
    auto made = std::make_shared<Product>();
    made->product = *found;
    made->d = TRY(binder.targets(0));
    const bool from_registers = instruction.operands[1].kind == PtxOperandKind::kVector;
    if (from_registers)
        made->a = TRY(binder.sources(1, PtxType::kB32));
    else
        made->a_descriptor = TRY(binder.source(1));
    made->b_descriptor = TRY(binder.source(2));
    made->scale_d = TRY(binder.source(3, PtxType::kPredicate));
    made->scale_a.value = made->scale_b.value = 1;
    if (binder.operands() > 4) made->scale_a = TRY(binder.source(4, PtxType::kB32));
    if (binder.operands() > 5) made->scale_b = TRY(binder.source(5, PtxType::kB32));
    // With A in registers only B can be transposed.
    if (binder.operands() > 6)
        (from_registers ? made->major_b : made->major_a) = TRY(binder.source(6, PtxType::kB32));
    if (binder.operands() > 7) made->major_b = TRY(binder.source(7, PtxType::kB32));
    if (made->d.size() != std::size_t(registers_of(*found, MatrixOperand::kD)) ||
        (from_registers && made->a.size() != std::size_t(registers_of(*found, MatrixOperand::kA))))
        return failed("gives " + instruction.words[0] +
                      " a number of registers that is not that of its fragments");
    step.run = product;
    step.details = std::move(made);
    return step;
}

}  // namespace ptx_warpgroup

PtxBind warpgroup_instruction(std::string_view name) {
    return name == "wgmma" ? ptx_warpgroup::bind : nullptr;
}

}  // namespace tilereel::runtime
