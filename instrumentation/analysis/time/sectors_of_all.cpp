#include "instrumentation/analysis/time/sectors_of_all.h"

#include <algorithm>
#include <unordered_map>

namespace tilereel {

void mark_sectors_of_all(std::vector<BlockStream>& streams) {
    std::unordered_map<std::uint64_t, std::size_t> blocks;
    for (const BlockStream& stream : streams) {
        std::vector<std::uint64_t> own = stream.sectors;
        std::ranges::sort(own);
        own.erase(std::unique(own.begin(), own.end()), own.end());
        for (const std::uint64_t sector : own) ++blocks[sector];
    }
    if (streams.size() < 2) return;
    for (BlockStream& stream : streams)
        for (std::uint64_t& sector : stream.sectors)
            if (2 * blocks[sector] > streams.size()) sector |= BlockStream::kOfAllBlocks;
}

}  // namespace tilereel
