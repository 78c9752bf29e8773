#include "instrumentation/gpu/ptx/ptx_hooks.h"

#include <string_view>

#include "instrumentation/gpu/dump.h"
#include "instrumentation/gpu/ptx/ptx_call.h"
#include "instrumentation/gpu/ptx/ptx_kinds.h"
#include "instrumentation/gpu/ptx/ptx_words.h"

namespace tilereel::gpu {
namespace {

constexpr unsigned kWidest = 16;  // most bytes of an access in a trace

PtxWork load_or_store(const PtxContext& context) {
    const PtxInstruction& instruction = context.instruction;
    const bool stores = instruction.parts[0] == "st";
    const Space space = space_of(instruction);
    if (space == Space::kLocal) return {};
    const auto type = ptx_type(instruction);
    const std::size_t place = stores ? 0 : 1;
    if (!type || instruction.operands.size() < 2 || type->bytes() > kWidest) return left_out_work();
    const auto address = ptx_address(instruction.operands[place]);
    if (!address) return left_out_work();
    PtxSite site;
    site.operation = stores ? Operation::kStore : Operation::kLoad;
    site.width_bytes = static_cast<std::uint8_t>(type->bytes());
    PtxCall call(stores ? "tilereel_gpu_store" : "tilereel_gpu_load", instruction.guard);
    call.prepare(address_text(*address, space, context.registers, "%tilereel_a"));
    call.pass(64, "%tilereel_a");
    call.pass(32, site_number(context.first, space));
    call.pass(32, context.caller);
    if (stores) {
        const PtxWords words(instruction.operands[1], *type, context.registers);
        call.prepare(words.text());
        call.pass(32, std::to_string(words.count()));
        words.pass_to(call, 4);
        site.value_words = static_cast<std::uint8_t>(words.count());
    }
    return work_before({site}, call.text());
}

// Records __syncwarp() and a barrier of all threads, which is __syncthreads().
PtxWork barrier(const PtxContext& context) {
    const PtxInstruction& instruction = context.instruction;
    if (instruction.has("warp")) return event_work(context, {plain_site(Operation::kWarpBarrier)});
    const bool reduces = instruction.has("red");
    // barrier.cluster: the wait is the barrier. The block's own threads wait for each other there.
    if (instruction.has("cluster")) {
        if (!instruction.has("wait")) return {};
        PtxSite site = plain_site(Operation::kBarrier);
        site.variety = static_cast<std::uint8_t>(BarrierKind::kCluster);
        return event_work(context, {site});
    }
    if (instruction.operands.size() == 2 && !reduces) return named_barrier_work(context);
    if (instruction.operands.size() != (reduces ? 3 : 1)) return left_out_work();
    return event_work(context, {plain_site(Operation::kBarrier)});
}

bool touches_memory(const PtxInstruction& instruction) {
    const std::string_view first = instruction.parts[0];
    for (const std::string_view name :
         {"tex", "tld4", "suld", "sust", "sured", "multimem", "tcgen05"})
        if (first == name) return true;
    return false;
}

}  // namespace

PtxWork event_work(const PtxContext& context, const std::vector<PtxSite>& sites) {
    std::string text;
    for (std::size_t i = 0; i < sites.size(); ++i) {
        PtxCall call("tilereel_gpu_event", context.instruction.guard);
        call.pass(32, std::to_string((context.first + i) << tilereel_gpu::kSpaceBits));
        call.pass(32, context.caller);
        text += in_braces(call.text());
    }
    return {.sites = sites, .hook = {.before = text, .after = {}, .instead = {}}};
}

PtxWork ptx_work(const PtxInstruction& instruction, const PtxRegisters& registers,
                 std::uint32_t first, const std::string& caller) {
    if (instruction.parts.empty()) return {};
    const PtxContext context{instruction, registers, first, caller};
    const std::string_view name = instruction.parts[0];
    if (name == "ld" || name == "ldu") return load_or_store(context);
    if (name == "st")
        return instruction.has("async") || instruction.has("bulk") ? left_out_work()
                                                                   : load_or_store(context);
    if (name == "atom" || name == "red") return atomic_work(context);
    if (name == "bar" || name == "barrier") return barrier(context);
    if (name == "cp") return instruction.has("bulk") ? bulk_copy_work(context) : copy_work(context);
    if (name == "mbarrier") return shared_barrier_work(context);
    if (name == "ldmatrix" || name == "stmatrix") return matrix_access_work(context);
    if (name == "mma") return product_work(context);
    if (name == "wmma") return fragment_work(context);
    if (name == "setmaxnreg") return registers_work(context);
    if (name == "fence") return fence_work(context);
    if (name == "wgmma") return warpgroup_work(context);
    if (name == "movmatrix")
        return {.sites = {}, .hook = {.before = converged(context), .after = {}, .instead = {}}};
    return touches_memory(instruction) ? left_out_work() : PtxWork{};
}

}  // namespace tilereel::gpu
