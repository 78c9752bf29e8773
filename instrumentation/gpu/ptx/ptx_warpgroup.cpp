// Products of a warpgroup and their groups (PTX ISA, "Asynchronous Warpgroup Level Matrix
// Multiply-Accumulate Instructions": wgmma), and the fence before them.
#include <algorithm>
#include <string>
#include <vector>

#include "instrumentation/gpu/dump.h"
#include "instrumentation/gpu/ptx/ptx_call.h"
#include "instrumentation/gpu/ptx/ptx_kinds.h"
#include "instrumentation/trace/fragments/warpgroup_reads.h"

namespace tilereel::gpu {
namespace {

// wgmma.mma_async d, a, b, scale-d, scale-a, scale-b, transposes-a, transposes-b. With A in
// registers there is no transposes-a. A record of each warp, with the descriptors; its sums are not
// there yet.
PtxWork product_of_group(const PtxContext& context) {
    const PtxInstruction& instruction = context.instruction;
    const Result<WarpgroupProduct> product = find_warpgroup_product(instruction.opcode);
    if (!product || instruction.operands.size() < 4) return left_out_work();
    const bool from_registers = instruction.operands[1].front() == "{";
    const auto major = [&](std::size_t operand) {
        return operand < instruction.operands.size() && instruction.operand(operand) != "0"
                   ? MajorDimension::kMN
                   : MajorDimension::kK;
    };
    const WarpgroupOperands operands = {.a_in_registers = from_registers,
                                        .a_major = from_registers ? MajorDimension::kK : major(6),
                                        .b_major = major(from_registers ? 6 : 7)};
    PtxSite site = plain_site(Operation::kMatrixProduct);
    site.width_bytes = 4 * WarpgroupOperands::kWords;
    site.value_words = WarpgroupOperands::kWords;
    site.base = product->code();
    site.variety = operands.variety();
    PtxCall call("tilereel_gpu_descriptors", instruction.guard);
    call.pass(32, site_number(context.first, Space::kGlobal));
    call.pass(32, context.caller);
    call.pass(64, from_registers ? "0" : instruction.operand(1));
    call.pass(64, instruction.operand(2));
    PtxWork work = work_before({site}, call.text());
    work.hook.before += converged(context);
    return work;
}

}  // namespace

PtxWork warpgroup_work(const PtxContext& context) {
    const PtxInstruction& instruction = context.instruction;
    if (instruction.has("mma_async")) return product_of_group(context);
    PtxSite site = plain_site(instruction.has("fence")          ? Operation::kFence
                              : instruction.has("commit_group") ? Operation::kCommitProducts
                                                                : Operation::kWaitProducts);
    if (instruction.has("fence")) site.variety = static_cast<std::uint8_t>(FenceKind::kProducts);
    if (site.operation == Operation::kWaitProducts && !instruction.operands.empty())
        site.base = std::min(ptx_number(instruction.operands[0][0]), kMostGroups);
    PtxWork work = event_work(context, {site});
    work.hook.before += converged(context);
    return work;
}

PtxWork registers_work(const PtxContext& context) {
    PtxSite site = plain_site(Operation::kSetRegisters);
    if (!context.instruction.operands.empty())
        site.base = ptx_number(context.instruction.operands[0][0]);
    PtxWork work = event_work(context, {site});
    work.hook.before += converged(context);
    return work;
}

PtxWork fence_work(const PtxContext& context) {
    if (!context.instruction.has("proxy") || !context.instruction.has("async")) return {};
    PtxSite site = plain_site(Operation::kFence);
    site.variety = static_cast<std::uint8_t>(FenceKind::kAsyncProxy);
    return event_work(context, {site});
}

}  // namespace tilereel::gpu
