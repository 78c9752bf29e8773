// Barriers and asynchronous copies. PTX ISA, "Parallel Synchronization and Communication
// Instructions": bar, barrier, mbarrier; "Data Movement and Conversion Instructions: Asynchronous
// copy".
#include <array>

#include "instrumentation/cuda/include/tilereel/runtime_calls.h"
#include "instrumentation/cuda/include/tilereel/shared_barriers.h"
#include "instrumentation/cuda/runtime/inline_ptx/inline_address.h"
#include "instrumentation/cuda/runtime/inline_ptx/inline_reductions.h"
#include "instrumentation/cuda/runtime/inline_ptx/inline_sites.h"
#include "instrumentation/cuda/runtime/inline_ptx/inline_values.h"
#include "instrumentation/cuda/runtime/running_block.h"
#include "instrumentation/cuda/runtime/warp/barriers_of_block.h"
#include "instrumentation/cuda/runtime/warp/named_barriers.h"

namespace tilereel::runtime {
// A name of its own: other families have functions of the same names.
namespace ptx_barriers {

struct Addresses final : PtxDetails {
    std::vector<std::shared_ptr<PtxAddress>> all;
};
void* pointer(const PtxFrame& frame, const PtxStep& step, std::size_t number) {
    return static_cast<const Addresses&>(*step.details).all[number]->pointer(frame);
}
Status bind_addresses(const PtxBinder& binder, PtxStep& step,
                      std::initializer_list<std::pair<std::size_t, Space>> operands) {
    auto made = std::make_shared<Addresses>();
    for (const auto& [operand, space] : operands)
        made->all.push_back(TRY(address_of(binder, operand, space)));
    step.details = std::move(made);
    return Done{};
}

std::array<int, 5> coordinates_of(const PtxFrame& frame, const PtxAddress& map) {
    std::array<int, 5> coordinates{};
    for (std::size_t i = 0; i < map.coordinates.size(); ++i)
        coordinates[i] = int(std::uint32_t(get(frame, map.coordinates[i])));
    return coordinates;
}

// bar.sync a; bar.sync a, b; bar.arrive a, b; barrier.cta..., bar.red.popc|and|or
enum Barrier : std::uint8_t { kSync, kArrive, kCount, kAnd, kOr };
void barrier(PtxFrame& frame, const PtxStep& step) {
    RunningBlock* const block = RunningBlock::current();
    if (block == nullptr) return;
    const auto threads = std::uint32_t(block->extents().count());
    const auto number = std::uint32_t(get(frame, step.in[0]));
    const auto given = std::uint32_t(get(frame, step.in[1]));
    // Barriers count whole warps.
    const std::uint32_t all = (threads + kLanes - 1) / kLanes * kLanes;
    const std::uint32_t expected = given == 0 ? all : given;
    if (number >= NamedBarriers::kCount)
        refuse("names a barrier beyond the 16 of a block in inline PTX");
    if (expected % kLanes != 0)
        refuse("gives a barrier in inline PTX a number of threads that is no multiple of 32");
    const bool reduces = step.numbers[0] >= kCount;
    // With other numbers, a part of the threads may only arrive (bar.arrive).
    const bool of_block = given == 0 || (number == 0 && expected == all);
    if (step.numbers[0] != kArrive && (of_block || reduces) && expected == all) {
        enter_call(frame, step, "__syncthreads");
        const bool predicate = reduces && get_predicate(frame, step.in[2]);
        const int counted = barrier_count(predicate);
        if (step.numbers[0] == kCount) put(frame, step.out[0], std::uint32_t(counted));
        if (step.numbers[0] == kAnd)
            put(frame, step.out[0], std::uint64_t(std::uint32_t(counted) == threads));
        if (step.numbers[0] == kOr) put(frame, step.out[0], std::uint64_t{counted != 0});
        return;
    }
    if (reduces)
        refuse(
            "reduces over a part of a block's threads (bar.red with a number of threads), which "
            "Tilereel does not run");
    arrive_at_named(number, expected, step.numbers[0] == kSync);
}
Result<PtxStep> bind_barrier(const PtxBinder& binder) {
    const PtxInstruction& instruction = binder.instruction();
    PtxStep step;
    if (instruction.has("warp")) {  // bar.warp.sync mask
        TRY(binder.expect_operands(1, 1));
        step.in[0] = TRY(binder.source(0, PtxType::kB32));
        step.run = [](PtxFrame& frame, const PtxStep& run) {
            enter_call(frame, run, "__syncwarp");
            (void)warp_exchange(std::uint32_t(get(frame, run.in[0])), 0);
        };
        return step;
    }
    if (instruction.has("cluster")) {
        step.run = [](PtxFrame& frame, const PtxStep& run) {
            enter_call(frame, run, "__syncthreads");
            run.numbers[0] == 0 ? cluster_arrive() : cluster_wait();
        };
        step.numbers[0] = instruction.has("wait") ? 1 : 0;
        return step;
    }
    step.run = barrier;
    note_shared_barriers(false);
    std::size_t first = 0;
    if (instruction.has("red")) {
        step.numbers[0] = instruction.has("popc") ? kCount : instruction.has("and") ? kAnd : kOr;
        TRY(binder.expect_operands(3, 4));
        step.out[0] = TRY(binder.target(0));
        first = 1;
        step.in[2] = TRY(binder.source(binder.operands() - 1, PtxType::kPredicate));
        if (binder.operands() == 4) step.in[1] = TRY(binder.source(2, PtxType::kB32));
    } else {
        step.numbers[0] = instruction.has("arrive") ? kArrive : kSync;
        TRY(binder.expect_operands(step.numbers[0] == kArrive ? 2 : 1, 2));
        if (binder.operands() == 2) step.in[1] = TRY(binder.source(1, PtxType::kB32));
    }
    step.in[0] = TRY(binder.source(first, PtxType::kB32));
    return step;
}

// mbarrier: the address is the last operand but those that are numbers.
Result<PtxStep> bind_mbarrier(const PtxBinder& binder) {
    const PtxInstruction& instruction = binder.instruction();
    const std::string what = instruction.words.size() > 1 ? instruction.words[1] : "";
    note_shared_barriers(false);
    PtxStep step;
    const auto at = [&](std::size_t operand) {
        return bind_addresses(binder, step, {{operand, space_of(instruction)}});
    };
    if (what == "init") {
        TRY(binder.expect_operands(2, 2));
        TRY(at(0));
        step.in[0] = TRY(binder.source(1, PtxType::kB32));
        step.run = [](PtxFrame& frame, const PtxStep& run) {
            enter_call(frame, run, "mbarrier.init");
            init_barrier(pointer(frame, run, 0), std::uint32_t(get(frame, run.in[0])));
        };
        return step;
    }
    if (what == "inval") {
        step.run = [](PtxFrame&, const PtxStep&) {};
        return step;
    }
    if (what == "expect_tx" || what == "complete_tx") {
        TRY(binder.expect_operands(2, 2));
        TRY(at(0));
        step.in[0] = TRY(binder.source(1, PtxType::kB32));
        step.numbers[0] = what == "complete_tx" ? 1 : 0;
        step.run = [](PtxFrame& frame, const PtxStep& run) {
            const auto bytes = std::uint32_t(get(frame, run.in[0]));
            enter_call(frame, run, "mbarrier.expect_tx");
            if (run.numbers[0] != 0)
                complete_bytes(pointer(frame, run, 0), bytes);
            else
                (void)arrive_at(pointer(frame, run, 0), 0, bytes);
        };
        return step;
    }
    if (what == "arrive" || what == "arrive_drop") {
        // state, [address], count  or  [address], count: the form for another block of a cluster.
        const bool has_state =
            binder.operands() > 0 && instruction.operands[0].kind != PtxOperandKind::kAddress;
        const std::size_t address = has_state ? 1 : 0;
        TRY(binder.expect_operands(address + 1, address + 2));
        if (has_state) step.out[0] = TRY(binder.target(0));
        TRY(at(address));
        const bool expects = instruction.has("expect_tx");
        const bool has_number = binder.operands() == address + 2;
        step.in[0].value = 1;
        if (has_number) step.in[0] = TRY(binder.source(address + 1, PtxType::kB32));
        step.numbers[0] = expects ? 1 : 0;
        step.numbers[1] = what == "arrive_drop" ? 1 : 0;
        step.run = [](PtxFrame& frame, const PtxStep& run) {
            void* const barrier = pointer(frame, run, 0);
            const auto number = std::uint32_t(get(frame, run.in[0]));
            enter_call(frame, run, "mbarrier.arrive");
            if (run.numbers[1] != 0) drop_arrival(barrier);
            put(frame, run.out[0],
                std::uint64_t(run.numbers[0] != 0 ? arrive_at(barrier, 1, number)
                                                  : arrive_at(barrier, number, 0)));
        };
        return step;
    }
    if (what == "test_wait" || what == "try_wait") {
        TRY(binder.expect_operands(3, 4));
        step.out[0] = TRY(binder.target(0));
        TRY(at(1));
        step.in[0] = TRY(binder.source(2, PtxType::kB64));
        step.numbers[0] = instruction.has("parity") ? 1 : 0;
        step.numbers[1] = what == "test_wait" ? 1 : 0;
        step.run = [](PtxFrame& frame, const PtxStep& run) {
            void* const barrier = pointer(frame, run, 0);
            const std::uint64_t phase = get(frame, run.in[0]);
            const bool polls = run.numbers[1] != 0;
            enter_call(frame, run, "mbarrier.try_wait");
            const bool done = run.numbers[0] != 0
                                  ? wait_for_parity(barrier, std::uint32_t(phase), polls)
                                  : wait_for_phase(barrier, phase, polls);
            put(frame, run.out[0], std::uint64_t{done});
        };
        return step;
    }
    return binder.refuse("write it with cuda::ptx");
}

// cp.async
Result<PtxStep> bind_copy(const PtxBinder& binder) {
    TRY(binder.expect_operands(3, 5));
    PtxStep step;
    step.in[0] = TRY(binder.source(2, PtxType::kB32));  // the bytes that are written
    step.in[1] = step.in[0];                            // the bytes that are read
    if (binder.operands() >= 4) {
        // A number of bytes, a predicate "ignore-src", or a cache policy, which has 64 bits.
        const PtxOperand& next = binder.instruction().operands[3];
        const bool has_policy = binder.instruction().has("L2::cache_hint");
        const bool is_policy = has_policy && binder.operands() == 4;
        if (!is_policy) {
            step.in[1] = TRY(binder.source(3, PtxType::kB32));
            step.numbers[0] = next.type == PtxType::kPredicate ? 1 : 0;
        }
    }
    TRY(bind_addresses(binder, step, {{0, Space::kShared}, {1, Space::kGlobal}}));
    step.run = [](PtxFrame& frame, const PtxStep& run) {
        const std::uint64_t bytes = get(frame, run.in[0]) & 0xffffffff;
        std::uint64_t reads = get(frame, run.in[1]) & 0xffffffff;
        if (run.numbers[0] != 0) reads = get_predicate(frame, run.in[1]) ? 0 : bytes;
        if (bytes != 4 && bytes != 8 && bytes != 16)
            refuse("copies a number of bytes with cp.async that is not 4, 8 or 16");
        enter_call(frame, run, "cp.async");
        start_copy(pointer(frame, run, 0), pointer(frame, run, 1), bytes,
                   bytes - std::min(reads, bytes));
    };
    return step;
}
// cp.async.bulk.tensor.2d.global.shared::cta [map, {x, y}], [from] and cp.async.bulk.global.shared
// [to], [from], bytes
Result<PtxStep> bind_bulk_store(const PtxBinder& binder) {
    PtxStep step;
    if (binder.instruction().has("tensor")) {
        TRY(binder.expect_operands(2, 3));
        TRY(bind_addresses(binder, step, {{0, Space::kGeneric}, {1, Space::kShared}}));
        const std::size_t rank =
            static_cast<const Addresses&>(*step.details).all[0]->coordinates.size();
        if (rank == 0 || rank > 5) return binder.refuse("give a box one to five coordinates");
        step.run = [](PtxFrame& frame, const PtxStep& run) {
            const PtxAddress& map = *static_cast<const Addresses&>(*run.details).all[0];
            const std::array<int, 5> coordinates = coordinates_of(frame, map);
            enter_call(frame, run, "cp.async.bulk.tensor");
            store_tensor_box(pointer(frame, run, 0), coordinates.data(),
                             unsigned(map.coordinates.size()), pointer(frame, run, 1));
        };
        return step;
    }
    TRY(binder.expect_operands(3, 5));
    TRY(bind_addresses(binder, step, {{0, Space::kGlobal}, {1, Space::kShared}}));
    step.in[0] = TRY(binder.source(2, PtxType::kB32));
    step.run = [](PtxFrame& frame, const PtxStep& run) {
        enter_call(frame, run, "cp.async.bulk");
        store_in_bulk(pointer(frame, run, 0), pointer(frame, run, 1),
                      std::uint32_t(get(frame, run.in[0])));
    };
    return step;
}
// The blocks that a copy goes to: the mask of .multicast::cluster, of 16 bits.
Status bind_blocks(const PtxBinder& binder, std::size_t operand, PtxStep& step) {
    step.numbers[0] = binder.instruction().has("multicast::cluster") ? 1 : 0;
    if (step.numbers[0] == 0) return Done{};
    if (operand >= binder.operands()) return binder.refuse("give .multicast::cluster its mask");
    step.in[1] = TRY(binder.source(operand, PtxType::kB16));
    return Done{};
}
std::uint32_t blocks_of(const PtxFrame& frame, const PtxStep& step) {
    return step.numbers[0] == 0 ? 0 : mask_of_blocks(unsigned(get(frame, step.in[1]) & 0xffff));
}
Result<PtxStep> bind_bulk_copy(const PtxBinder& binder) {
    const PtxInstruction& instruction = binder.instruction();
    const std::vector<std::string>& words = instruction.words;
    note_shared_barriers(true);
    const auto place_of = [&](std::string_view begin) {
        for (std::size_t i = 0; i < words.size(); ++i)
            if (words[i].starts_with(begin)) return i;
        return words.size();
    };
    PtxStep step;
    if (instruction.has("commit_group") || instruction.has("wait_group") ||
        instruction.has("prefetch")) {
        step.run = [](PtxFrame&, const PtxStep&) {};
        return step;
    }
    if (instruction.has("im2col")) return binder.refuse("use the mode .tile");
    if (place_of("global") == words.size()) {  // from shared memory to another block's
        TRY(binder.expect_operands(4, 4));
        TRY(bind_addresses(binder, step,
                           {{0, Space::kShared}, {1, Space::kShared}, {3, Space::kShared}}));
        step.in[0] = TRY(binder.source(2, PtxType::kB32));
        step.run = [](PtxFrame& frame, const PtxStep& run) {
            enter_call(frame, run, "cp.async.bulk");
            copy_shared_in_bulk(pointer(frame, run, 0), pointer(frame, run, 1),
                                std::uint32_t(get(frame, run.in[0])), pointer(frame, run, 2));
        };
        return step;
    }
    if (place_of("global") < place_of("shared")) return bind_bulk_store(binder);
    if (instruction.has("tensor")) {
        TRY(binder.expect_operands(3, 5));
        TRY(bind_addresses(binder, step,
                           {{0, Space::kShared}, {1, Space::kGeneric}, {2, Space::kShared}}));
        const std::size_t rank =
            static_cast<const Addresses&>(*step.details).all[1]->coordinates.size();
        if (rank == 0 || rank > 5) return binder.refuse("give a box one to five coordinates");
        TRY(bind_blocks(binder, 3, step));
        step.run = [](PtxFrame& frame, const PtxStep& run) {
            const PtxAddress& map = *static_cast<const Addresses&>(*run.details).all[1];
            const std::array<int, 5> coordinates = coordinates_of(frame, map);
            enter_call(frame, run, "cp.async.bulk.tensor");
            start_tensor_copy(pointer(frame, run, 0), pointer(frame, run, 1), coordinates.data(),
                              unsigned(map.coordinates.size()), pointer(frame, run, 2),
                              blocks_of(frame, run));
        };
        return step;
    }
    TRY(binder.expect_operands(4, 6));
    TRY(bind_addresses(binder, step,
                       {{0, Space::kShared}, {1, Space::kGlobal}, {3, Space::kShared}}));
    step.in[0] = TRY(binder.source(2, PtxType::kB32));
    TRY(bind_blocks(binder, 4, step));
    step.run = [](PtxFrame& frame, const PtxStep& run) {
        enter_call(frame, run, "cp.async.bulk");
        start_bulk_copy(pointer(frame, run, 0), pointer(frame, run, 1),
                        std::uint32_t(get(frame, run.in[0])), pointer(frame, run, 2),
                        blocks_of(frame, run));
    };
    return step;
}
Result<PtxStep> bind_cp(const PtxBinder& binder) {
    const PtxInstruction& instruction = binder.instruction();
    PtxStep step;
    if (instruction.has("reduce")) {
        note_shared_barriers(true);
        return bind_bulk_reduction(binder);
    }
    if (!instruction.has("async")) return binder.refuse("PTX has cp.async");
    if (instruction.has("bulk")) return bind_bulk_copy(binder);
    if (instruction.has("commit_group")) {
        step.run = [](PtxFrame& frame, const PtxStep& run) {
            enter_call(frame, run, "cp.async.commit_group");
            commit_copies();
        };
        return step;
    }
    if (instruction.has("wait_group")) {
        TRY(binder.expect_operands(1, 1));
        step.in[0] = TRY(binder.source(0, PtxType::kB32));
        step.run = [](PtxFrame& frame, const PtxStep& run) {
            enter_call(frame, run, "cp.async.wait_group");
            wait_copies(std::uint32_t(get(frame, run.in[0])));
        };
        return step;
    }
    if (instruction.has("wait_all")) {
        step.run = [](PtxFrame& frame, const PtxStep& run) {
            enter_call(frame, run, "cp.async.wait_all");
            commit_copies();
            wait_copies(0);
        };
        return step;
    }
    if (instruction.has("mbarrier")) {
        // The barrier gets an arrival when the thread's copies are complete, which is at once here.
        note_shared_barriers(false);
        TRY(binder.expect_operands(1, 1));
        TRY(bind_addresses(binder, step, {{0, space_of(instruction)}}));
        step.numbers[0] = instruction.has("noinc") ? 1 : 0;
        step.run = [](PtxFrame& frame, const PtxStep& run) {
            enter_call(frame, run, "cp.async.mbarrier.arrive");
            commit_copies();
            wait_copies(0);
            if (run.numbers[0] != 0) (void)arrive_at(pointer(frame, run, 0), 1, 0);
        };
        return step;
    }
    return bind_copy(binder);
}

}  // namespace ptx_barriers

PtxBind barrier_instruction(std::string_view name) {
    using namespace ptx_barriers;
    constexpr std::array kInstructions = std::to_array<PtxEntry>({
        {"bar", bind_barrier},
        {"barrier", bind_barrier},
        {"mbarrier", bind_mbarrier},
        {"cp", bind_cp},
    });
    return find_bind(kInstructions, name);
}

}  // namespace tilereel::runtime
