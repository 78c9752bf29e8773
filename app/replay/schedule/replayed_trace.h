#pragma once
// The trace that a replay plays: the recorded one, and in the watched block what the products of
// warpgroups (wgmma) read of shared memory.
//
// Why records for what nobody recorded. A warpgroup's product reads both of its tiles, but a
// recording has only its descriptors, because no counter of a GPU shows the reads. Without them a
// tile would never be read, and the replay would call it empty or arrived when it has long been
// used. So each product gets its reads as records before it: 32 pieces of 16 bytes a record, first
// those of A, then those of B, in the order in which the tensor core takes them
// (warpgroup_reads.h). They are modelled, and the screen says so. Counters and findings never see
// them: they are made from the recorded trace.
//
//     recorded     fence             product          commit   wait
//     replayed     fence  read As  read Bs  product   commit   wait
#include <cstdint>
#include <memory>
#include <vector>

#include "instrumentation/trace/trace.h"

namespace tilereel {

class ReplayedTrace {
  public:
    // `recorded` must outlive it, and is the trace itself if the block has no such products.
    ReplayedTrace(const Trace& recorded, std::uint32_t block);

    [[nodiscard]] const Trace& trace() const { return made_ ? *made_ : recorded_; }
    [[nodiscard]] const Trace& recorded_trace() const { return recorded_; }
    // The recorded trace's number of a record of the block. A modelled read has the number of its
    // product.
    [[nodiscard]] std::uint64_t recorded(std::uint64_t record) const;

  private:
    const Trace& recorded_;
    std::unique_ptr<const Trace> made_;
    std::uint64_t first_ = 0;                   // the block's first record
    std::vector<std::uint64_t> recorded_from_;  // by record of the block, from `first_` on
};

}  // namespace tilereel
