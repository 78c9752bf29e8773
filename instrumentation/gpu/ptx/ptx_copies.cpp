// Asynchronous copies (PTX ISA, "cp.async"), bulk copies and the barriers in shared memory that
// count their bytes.
#include <algorithm>
#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "instrumentation/gpu/dump.h"
#include "instrumentation/gpu/ptx/ptx_call.h"
#include "instrumentation/gpu/ptx/ptx_kinds.h"

namespace tilereel::gpu {
namespace {

// Puts the address in an operand into the 64-bit register `name`, for a hook. Returns false if the
// operand is not an address of a known form.
bool prepare_address(PtxCall& call, const PtxContext& context, std::size_t operand, Space space,
                     const std::string& name) {
    const auto address = ptx_address(context.instruction.operands[operand]);
    if (!address) return false;
    call.prepare(address_text(*address, space, context.registers, name));
    return true;
}

PtxSite mbarrier_site(Operation operation) {
    PtxSite site = plain_site(operation);
    site.arguments = tilereel_gpu::kPhaseRows;
    return site;
}

// Records an operation on a barrier in shared memory (PTX ISA, "mbarrier"). `address`: the index of
// the operand that is the barrier's address. `count`, `bytes`: the arguments for the rows of
// PhaseRow.
PtxWork mbarrier_work(const PtxContext& context, Operation operation, std::size_t address,
                      const std::string& guard, const std::string& count,
                      const std::string& bytes) {
    const Space space = space_of(context.instruction);
    PtxCall call("tilereel_gpu_phase", guard);
    if (space == Space::kGlobal || space == Space::kLocal || space == Space::kConstant ||
        !prepare_address(call, context, address, space, "%tilereel_a"))
        return left_out_work();
    call.pass(64, "%tilereel_a");
    call.pass(32, site_number(context.first, space));
    call.pass(32, context.caller);
    call.pass(32, count);
    call.pass(32, bytes);
    const std::string text = in_braces(call.text());
    PtxHook hook;
    (operation == Operation::kWaitPhase ? hook.after : hook.before) = text;
    return {.sites = {mbarrier_site(operation)}, .hook = hook};
}

}  // namespace

// cp.async of 4, 8 or 16 bytes. It can read fewer bytes and write zeros for the others.
PtxWork copy_work(const PtxContext& context) {
    const PtxInstruction& instruction = context.instruction;
    if (instruction.has("commit_group"))
        return event_work(context, {plain_site(Operation::kCommitCopies)});
    PtxSite wait = plain_site(Operation::kWaitCopies);
    if (instruction.has("wait_all"))
        return event_work(context, {plain_site(Operation::kCommitCopies), wait});
    if (instruction.has("wait_group") && instruction.operands.size() == 1) {
        unsigned groups = 0;
        const std::string text = instruction.operand(0);
        std::from_chars(text.data(), text.data() + text.size(), groups);
        wait.base = std::min(groups, kMostGroups);
        return event_work(context, {wait});
    }
    const bool plain = instruction.has("ca") || instruction.has("cg");
    if (!plain || instruction.operands.size() < 3 || instruction.has("shared::cluster"))
        return left_out_work();
    const auto to = ptx_address(instruction.operands[0]);
    const auto from = ptx_address(instruction.operands[1]);
    const std::string size = instruction.operand(2);
    unsigned bytes = 0;
    std::from_chars(size.data(), size.data() + size.size(), bytes);
    if (!to || !from || (bytes != 4 && bytes != 8 && bytes != 16)) return left_out_work();
    // The fourth operand is a size or a predicate that says to ignore the source.
    std::string read_bytes = size;
    if (instruction.operands.size() > 3 && !instruction.has("L2::cache_hint")) {
        if (context.registers.bits_of(instruction.operand(3)) == 1) return left_out_work();
        read_bytes = instruction.operand(3);
    }
    PtxCall call("tilereel_gpu_copy", instruction.guard);
    call.prepare(address_text(*to, Space::kShared, context.registers, "%tilereel_a"));
    call.prepare(address_text(*from, Space::kGlobal, context.registers, "%tilereel_b"));
    call.pass(64, "%tilereel_a");
    call.pass(64, "%tilereel_b");
    call.pass(32, std::to_string(context.first));
    call.pass(32, context.caller);
    call.pass(32, size);
    call.pass(32, read_bytes);
    PtxSite load = plain_site(Operation::kCopyLoad), store = plain_site(Operation::kCopyStore);
    load.width_bytes = store.width_bytes = static_cast<std::uint8_t>(bytes);
    store.value_words = static_cast<std::uint8_t>(bytes / 4);
    return work_before({load, store}, call.text());
}

PtxWork shared_barrier_work(const PtxContext& context) {
    const PtxInstruction& instruction = context.instruction;
    const std::size_t operands = instruction.operands.size();
    const bool takes_bytes = instruction.has("expect_tx");
    if (instruction.has("inval") || instruction.has("pending_count")) return {};
    if (instruction.has("init") && operands == 2)
        return mbarrier_work(context, Operation::kInitBarrier, 0, instruction.guard,
                             instruction.operand(1), "0");
    if (instruction.has("arrive") && operands >= 2) {
        const std::string more = operands > 2 ? instruction.operand(2) : "1";
        return mbarrier_work(context, Operation::kArrive, 1, instruction.guard,
                             takes_bytes ? "1" : more, takes_bytes ? more : "0");
    }
    if (takes_bytes && operands == 2)
        return mbarrier_work(context, Operation::kArrive, 0, instruction.guard, "0",
                             instruction.operand(1));
    const bool waits = instruction.has("try_wait") || instruction.has("test_wait");
    if (!waits || operands < 3 || !instruction.guard.empty()) return left_out_work();
    const std::string parity = instruction.has("parity")
                                   ? instruction.operand(2)
                                   : std::to_string(tilereel_gpu::kParityUnknown);
    return mbarrier_work(context, Operation::kWaitPhase, 1, "@" + instruction.operand(0), parity,
                         "0");
}

// bar.sync a, b and bar.arrive a, b: an arrival, and a wait for the phase of that arrival.
PtxWork named_barrier_work(const PtxContext& context) {
    const PtxInstruction& instruction = context.instruction;
    std::vector<PtxSite> sites = {mbarrier_site(Operation::kArrive)};
    if (!instruction.has("arrive")) sites.push_back(mbarrier_site(Operation::kWaitPhase));
    PtxWork work{.sites = sites, .hook = {}};
    for (std::size_t i = 0; i < sites.size(); ++i) {
        PtxCall call("tilereel_gpu_named", instruction.guard);
        call.pass(32, site_number(context.first + static_cast<std::uint32_t>(i), Space::kShared));
        call.pass(32, context.caller);
        call.pass(32, instruction.operand(0));
        call.pass(32, instruction.operand(1));
        call.pass(32, i == 0 ? "1" : std::to_string(tilereel_gpu::kParityUnknown));
        (i == 0 ? work.hook.before : work.hook.after) = in_braces(call.text());
    }
    return work;
}

namespace {

// What a bulk copy moves in global memory: the operand `place`, which is an address, or a tensor
// map and coordinates. nullopt: it has another form.
struct BulkPlace {
    PtxAddress address;
    std::vector<std::string> numbers;  // coordinates; without a tensor map the number of bytes
    bool is_tensor = false;
};
std::optional<BulkPlace> bulk_place(const PtxInstruction& instruction, std::size_t place) {
    BulkPlace made;
    made.is_tensor = instruction.has("tensor");
    if (!made.is_tensor) {
        const auto address = ptx_address(instruction.operands[place]);
        if (!address) return std::nullopt;
        made.address = *address;
        made.numbers = {instruction.operand(2)};
        return made;
    }
    const std::vector<std::string_view>& operand = instruction.operands[place];  // [map, {c0, c1}]
    made.numbers = ptx_elements(operand);
    if (std::ranges::find(operand, "{") == operand.end() || made.numbers.size() > 5 ||
        operand.size() < 3)
        return std::nullopt;
    made.address.base = operand[1];
    return made;
}

PtxSite box_site(Operation operation, const BulkPlace& place) {
    PtxSite site = plain_site(operation);
    site.arguments = tilereel_gpu::kBoxRows;
    site.is_box = true;
    site.rank = static_cast<std::uint8_t>(place.is_tensor ? place.numbers.size() : 0);
    return site;
}
// Prepares the address in global memory in register %tilereel_c.
void prepare_place(PtxCall& call, const PtxContext& context, const BulkPlace& place) {
    call.prepare(address_text(place.address, place.is_tensor ? Space::kGeneric : Space::kGlobal,
                              context.registers, "%tilereel_c"));
}
void pass_place(PtxCall& call, const BulkPlace& place) {
    call.pass(64, "%tilereel_c");
    call.pass(32, place.is_tensor ? "1" : "0");
    for (std::size_t i = 0; i < 5; ++i)
        call.pass(32, i < place.numbers.size() ? place.numbers[i] : "0");
}

// From shared to global memory: [map, {c0, c1}], [from]  or  [to], [from], bytes.
PtxWork bulk_store_work(const PtxContext& context) {
    const auto place = bulk_place(context.instruction, 0);
    PtxCall call("tilereel_gpu_box_store", context.instruction.guard);
    if (!place || !prepare_address(call, context, 1, Space::kShared, "%tilereel_b"))
        return left_out_work();
    PtxSite site = box_site(Operation::kStore, *place);
    site.variety = static_cast<std::uint8_t>(AccessKind::kBulk);
    prepare_place(call, context, *place);
    call.pass(32, site_number(context.first, Space::kShared));
    call.pass(32, context.caller);
    call.pass(64, "%tilereel_b");
    pass_place(call, *place);
    return work_before({site}, call.text());
}

// The mask of .multicast::cluster, 16 bits, as a 32-bit register %tilereel_m.
std::string mask_of_blocks(const PtxContext& context, std::size_t operand) {
    return ".reg .b16 %tilereel_m16;\n.reg .b32 %tilereel_m;\nmov.b16 "
           "%tilereel_m16, " +
           context.instruction.operand(operand) + ";\ncvt.u32.u16 %tilereel_m, %tilereel_m16;\n";
}

}  // namespace

// A bulk copy between global and shared memory: PTX ISA, "cp.async.bulk", "cp.async.bulk.tensor". A
// copy goes to the same place of each block that .multicast::cluster names, or of the block that
// the address is of.
PtxWork bulk_copy_work(const PtxContext& context) {
    const PtxInstruction& instruction = context.instruction;
    // Groups of stores, and hints.
    if (instruction.has("commit_group") || instruction.has("wait_group") ||
        instruction.has("prefetch"))
        return {};
    const bool is_tensor = instruction.has("tensor");
    if (instruction.has("bulk_group") && instruction.has("global") &&
        instruction.has("shared::cta") && !instruction.has("reduce") &&
        !instruction.has("im2col_no_offs") && instruction.operands.size() >= (is_tensor ? 2 : 3))
        return bulk_store_work(context);
    const std::size_t barrier = is_tensor ? 2 : 3;
    const bool multicasts = instruction.has("multicast::cluster");
    const bool to_shared = (instruction.has("shared::cluster") || instruction.has("shared::cta")) &&
                           instruction.has("global") &&
                           instruction.has("mbarrier::complete_tx::bytes");
    if (!to_shared || instruction.has("im2col") ||
        instruction.operands.size() <= barrier + (multicasts ? 1 : 0))
        return left_out_work();
    const auto place = bulk_place(instruction, 1);
    PtxCall call("tilereel_gpu_box", instruction.guard);
    if (!place || !prepare_address(call, context, barrier, Space::kShared, "%tilereel_a") ||
        !prepare_address(call, context, 0, Space::kShared, "%tilereel_b"))
        return left_out_work();
    prepare_place(call, context, *place);
    if (multicasts) call.prepare(mask_of_blocks(context, barrier + 1));
    call.pass(64, "%tilereel_a");
    call.pass(32, site_number(context.first, Space::kShared));
    call.pass(32, context.caller);
    call.pass(64, "%tilereel_b");
    pass_place(call, *place);
    call.pass(32, multicasts ? "%tilereel_m" : "0");
    return work_before({box_site(Operation::kStartBulkCopy, *place)}, call.text());
}

}  // namespace tilereel::gpu
