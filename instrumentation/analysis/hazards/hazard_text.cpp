// The sentences of findings.
#include "instrumentation/analysis/hazards/hazards.h"
#include "instrumentation/analysis/hazards/race_order.h"
#include "instrumentation/analysis/products/mixed_fragments.h"
#include "instrumentation/trace/launch_names.h"

namespace tilereel {
namespace {

std::string access_text(const Trace& trace, const HazardParty& party, const std::string& cell) {
    const Site& site = trace.sites[party.site];
    return name_of_thread(trace, party.thread) + " " +
           std::string(words_for(site.operation).hazard) + " " + cell + " on line " +
           std::to_string(site.line);
}

// Whether the party's access is part of a bulk copy.
bool is_bulk_copy(const Trace& trace, const HazardParty& party) {
    return is_of_tma(trace, trace.sites[party.site]);
}

// " in trip 2", where the two accesses are in a loop.
std::string trip_text(const RaceOrder& order, std::uint32_t trip) {
    return order.in_loop ? " in trip " + std::to_string(trip + 1) : "";
}

// What to do: where the missing barrier belongs.
std::string place_text(const Trace& trace, const RaceOrder& order, const std::string& barrier) {
    if (order.after_line == 0)
        return "let one thread access it, or use an atomic operation such as atomicAdd()";
    const std::string after = std::to_string(order.after_line);
    const std::string before = std::to_string(order.before_line);
    if (order.next_trip)
        return "put " + barrier + " at the end of each trip: after line " + after +
               (order.after_line == order.before_line
                    ? ", before the next trip executes it"
                    : ", before line " + before + " of the next trip");
    const Site& earlier = trace.sites[order.earlier.site];
    if (order.after_line == order.before_line && reads(earlier.operation))
        return "keep what is read in a local variable, and put " + barrier +
               " between the two, before the write; or use an atomic operation such as atomicAdd()";
    if (order.after_line == order.before_line) return "put " + barrier + " between the two";
    return "put " + barrier + " between the two: after line " + after + ", before line " + before;
}

std::string skipped_text(const Trace& trace, const Finding& finding) {
    const bool one = finding.threads == 1;
    return std::to_string(finding.threads) + " of " + std::to_string(trace.launch.threads()) +
           " threads of the block " + (one ? "skips" : "skip") + " the barrier on line " +
           std::to_string(trace.sites[finding.first.site].line) + ": " +
           name_of_thread(trace, finding.second.thread) + (one ? " ends" : " and others end") +
           " without it. CUDA allows a barrier in conditional code only if the condition is the "
           "same for all threads of the block: \nmove it out of the branch, and let threads "
           "without "
           "work reach it, too";
}

std::string block_text(const Trace& trace, std::uint32_t block) {
    return " of block " + block_name(trace.launch.grid, block);
}

// "thread 3 of warp 0 of block 2 writes a[0] on line 7".
std::string access_of_block(const Trace& trace, const HazardParty& party, std::uint32_t block,
                            const std::string& cell) {
    const std::string thread = name_of_thread(trace, party.thread);
    return thread + block_text(trace, block) +
           access_text(trace, party, cell).substr(thread.size());
}

std::string race_between_blocks(const Trace& trace, const Finding& finding,
                                const std::string& cell) {
    const std::string sides = access_of_block(trace, finding.first, finding.block, cell) + " and " +
                              access_of_block(trace, finding.second, finding.second_block, "it") +
                              ": the blocks of a launch run in any order; ";
    if (finding.severity == Severity::kWarning)
        return sides +
               "all of them write the same value, but a read may come before or after it: \nread "
               "it in a later launch, or make the accesses atomic";
    return sides +
           "\nuse an atomic operation such as atomicAdd(), or let a later launch do what must come "
           "second";
}

std::string line_of(const Trace& trace, const HazardParty& party) {
    return "line " + std::to_string(trace.sites[party.site].line);
}

std::string different_values_text(const Trace& trace, const Finding& finding,
                                  const std::string& cell) {
    return name_of_thread(trace, finding.first.thread) + " and " +
           name_of_thread(trace, finding.second.thread) + " store different values to " + cell +
           " by one instruction, on " + line_of(trace, finding.first) +
           ": which of them stays is undefined; \nlet one lane store, or use an atomic operation "
           "such as atomicAdd()";
}

std::string cause_and_place_text(const Trace& trace, const RaceOrder& order, bool within_warp,
                                 const std::string& barrier) {
    return (within_warp ? "the lanes of a warp may advance on their own; \n"
                        : "either may come first; \n") +
           place_text(trace, order, barrier);
}

std::string race_text(const Trace& trace, const Finding& finding, const std::string& cell) {
    const RaceOrder order = race_order(trace, finding);
    const bool within_warp = order.earlier.thread / kWarpSize == order.later.thread / kWarpSize;
    const std::string barrier = within_warp ? "__syncwarp()" : "__syncthreads()";
    return access_text(trace, order.earlier, cell) + trip_text(order, order.earlier_trip) +
           " and " + access_text(trace, order.later, "it") + trip_text(order, order.later_trip) +
           ", with no " + (within_warp ? barrier : "barrier") + " between them: " +
           (order.is_update
                ? "each of them reads it and writes it again on this line, so one of the "
                  "two changes may be lost, and a barrier does not help; \nuse an atomic "
                  "operation such as atomicAdd(), which does both at once"
                : cause_and_place_text(trace, order, within_warp, barrier));
}

// Mistakes with the groups of a warpgroup's products.
std::string product_text(const Trace& trace, const Finding& finding) {
    const bool sets = trace.sites[finding.first.site].operation == Operation::kSetRegisters;
    if (finding.hazard == Hazard::kSomeWarpsOnly)
        return "warp " + std::to_string(finding.first.thread / kWarpSize) +
               (sets ? " changes its number of registers (setmaxnreg)" : " multiplies (wgmma)") +
               " on " + line_of(trace, finding.first) + ", and warp " +
               std::to_string(finding.second.thread / kWarpSize) +
               " of the same warpgroup does not: \nall four warps of a warpgroup must execute it";
    if (finding.hazard == Hazard::kMixedFragments)
        return "the products on " + line_of(trace, finding.first) +
               " take fragments that hold other elements than they should: C would be A times B "
               "if " +
               MixedFragments::text_of(finding.row) +
               "; \nlook at .trans of their ldmatrix, at the order of its rows, and at the layout "
               "of "
               "the fragments";
    const std::string product = "warp " + std::to_string(finding.first.thread / kWarpSize) +
                                " starts a product (wgmma) on " + line_of(trace, finding.first);
    if (finding.hazard == Hazard::kRegistersNotFenced)
        return product +
               " with no wgmma.fence before it: its registers may not have their values yet; \nput "
               "wgmma.fence.sync.aligned before the first product";
    if (finding.hazard == Hazard::kProductNotCommitted)
        return product + " and waits on " + line_of(trace, finding.second) +
               ", but the product is in no group, so the wait does not wait for it: \nput "
               "wgmma.commit_group.sync.aligned between the two";
    return product +
           " and never waits for it: its sums may not be there when they are read; \nput "
           "wgmma.commit_group and wgmma.wait_group before the first use of the sums";
}

// A product and a write of what it reads. Its reads are modelled from its descriptors.
std::string read_by_product_text(const Trace& trace, const Finding& finding,
                                 const std::string& cell) {
    const bool is_fence = finding.hazard == Hazard::kNotFenced;
    const HazardParty &product = is_fence ? finding.second : finding.first,
                      &writer = is_fence ? finding.first : finding.second;
    const std::string reads = "the product (wgmma) on " + line_of(trace, product);
    if (is_fence)
        return access_text(trace, writer, cell) + ", and " + reads +
               " reads it (modelled) with no fence.proxy.async between them: the tensor core may "
               "read what was there before; \nput fence.proxy.async after the store, before the "
               "barrier";
    const std::string write = is_bulk_copy(trace, writer)
                                  ? "a bulk copy that " + name_of_thread(trace, writer.thread) +
                                        " starts on " + line_of(trace, writer) + " overwrites " +
                                        cell
                                  : access_text(trace, writer, cell);
    return write + " while " + reads + " of warp " + std::to_string(product.thread / kWarpSize) +
           " may still read it (modelled): \nlet its warpgroup wait with wgmma.wait_group, and "
           "pass "
           "a barrier, before the write";
}

// The sentence of a finding, with a newline before what to do.
std::string marked_text(const Trace& trace, const Finding& finding) {
    const auto line = [&](const HazardParty& party) {
        return std::to_string(trace.sites[party.site].line);
    };
    if (finding.hazard == Hazard::kBarrierDivergence)
        return "Not every thread reaches the same barrier: " +
               name_of_thread(trace, finding.first.thread) + " waits on line " +
               line(finding.first) + " while " + name_of_thread(trace, finding.second.thread) +
               " is on line " + line(finding.second) +
               "; \nmove __syncthreads() to a place that all threads of the block reach";
    if (finding.hazard == Hazard::kBarrierSkipped) return skipped_text(trace, finding);
    if (finding.hazard == Hazard::kNotInitialised)
        return name_of_thread(trace, finding.second.thread) +
               " uses a barrier in shared memory on line " + line(finding.second) + " and " +
               name_of_thread(trace, finding.first.thread) + " initialises it on line " +
               line(finding.first) +
               ": either may come first; \nput __syncthreads() between the two";
    if (finding.array == kNoArray) return product_text(trace, finding);
    const std::string cell = element_name(trace.arrays[finding.array], finding.row, finding.column);
    if (finding.hazard == Hazard::kProductUnderWay || finding.hazard == Hazard::kNotFenced)
        return read_by_product_text(trace, finding, cell);
    if (finding.hazard == Hazard::kNeverWritten)
        return access_text(trace, finding.first, cell) +
               ", but no thread has written it: \nstore to it, and pass a barrier, before the read";
    if (finding.hazard == Hazard::kCopyUnderWay && is_bulk_copy(trace, finding.first))
        return access_text(trace, finding.second, cell) + " while the bulk copy that " +
               name_of_thread(trace, finding.first.thread) + " started on line " +
               line(finding.first) +
               " may still be under way: \nlet the thread wait for the phase of the copy's "
               "mbarrier";
    if (is_bulk_copy(trace, finding.second)) {
        const RaceOrder order = race_order(trace, finding);
        const bool as_listed = order.earlier.record == finding.first.record;
        const std::uint32_t trip = as_listed ? order.earlier_trip : order.later_trip;
        const std::uint32_t copy_trip = as_listed ? order.later_trip : order.earlier_trip;
        return access_text(trace, finding.first, cell) + trip_text(order, trip) +
               " and a bulk copy that " + name_of_thread(trace, finding.second.thread) +
               " starts on line " + line(finding.second) + trip_text(order, copy_trip) +
               " overwrites it: either may come first; \nwait until all threads that use it have "
               "arrived, then start the copy";
    }
    if (finding.hazard == Hazard::kCopyUnderWay)
        return access_text(trace, finding.second, cell) + " while the copy into it that " +
               name_of_thread(trace, finding.first.thread) + " began on line " +
               line(finding.first) + " may still be under way: \n" +
               (finding.first.thread == finding.second.thread
                    ? "put a wait for the copies, such as __pipeline_wait_prior(0), between the two"
                    : "put a wait for the copies, such as __pipeline_wait_prior(0), and then "
                      "__syncthreads(), between the two");
    if (finding.hazard == Hazard::kDifferentValues)
        return different_values_text(trace, finding, cell);
    if (finding.second_block != Finding::kSameBlock)
        return race_between_blocks(trace, finding, cell);
    return race_text(trace, finding, cell);
}

}  // namespace

std::string name_of_thread(const Trace& trace, std::uint32_t thread) {
    return "thread " + thread_name(trace.launch.block, thread) + " of warp " +
           std::to_string(thread / kWarpSize);
}

std::string sentence_of(const RecordedFinding& finding) {
    return finding.advice.empty() ? finding.what : finding.what + " " + finding.advice;
}

std::string sentence_of(const Trace& trace, const Finding& finding) {
    std::string text = marked_text(trace, finding);
    std::erase(text, '\n');
    return text;
}

FindingText text_of(const Trace& trace, const Finding& finding) {
    const std::string text = marked_text(trace, finding);
    const std::size_t mark = text.find('\n');
    if (mark == std::string::npos) return {text, {}};
    return {text.substr(0, text.find_last_not_of(":; ", mark - 1) + 1), text.substr(mark + 1)};
}

}  // namespace tilereel
