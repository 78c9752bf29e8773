#include "instrumentation/cuda/runtime/warp/event_buffer.h"

#include <algorithm>

namespace tilereel::runtime {

void EventBuffer::add_slice(const std::vector<WarpEvent>& events) {
    std::vector<WarpEvent> kept;
    for (const WarpEvent& event : events) {
        const MemoryArray* const array = event.row->array;
        const bool shared = array != nullptr && array->space == Space::kShared;
        rows_.push_back({*event.row, shared ? array->variable : nullptr});
        const std::size_t words = std::size_t{event.row->words} * kLanes;
        words_.emplace_back(event.words, event.words + words);
        kept.push_back(
            {.row = &rows_.back().row, .mask = event.mask, .words = words_.back().data()});
    }
    calls_.push_back([kept = std::move(kept)](BlockSink& sink) { sink.add_slice(kept); });
}

void EventBuffer::add_call(const Site* site, std::uint32_t mask, CollectiveKind kind,
                           const std::uint32_t* operand) {
    const std::uint32_t* words = nullptr;
    if (operand != nullptr) words = words_.emplace_back(operand, operand + kLanes).data();
    calls_.push_back([=](BlockSink& sink) { sink.add_call(site, mask, kind, words); });
}

void EventBuffer::replay_with(BlockSink& sink, const std::vector<MemoryArray>& arrays) {
    for (KeptRow& kept : rows_) {
        if (kept.shared == nullptr) continue;
        const auto found = std::ranges::find(arrays, kept.shared, &MemoryArray::variable);
        // A variable that is not in `arrays` is recorded as the first of them.
        const MemoryArray& array = found != arrays.end() ? *found : arrays.front();
        kept.row.array = const_cast<MemoryArray*>(&array);
        kept.row.base = array.base;
        kept.row.sink_data = nullptr;
    }
    sink.begin_block(block_);
    replay(sink);
}

void EventBuffer::replay(BlockSink& sink) {
    for (const auto& call : calls_) call(sink);
    undo_block();
}

}  // namespace tilereel::runtime
