// Stream-K: cuts the tiles of the last wave along K.
#include <algorithm>

#include "kernels/cuda/champion/champion_choice.h"

namespace tilereel {

ChampionCuts cut_champion(int tiles, int stages_of_a_tile, int depth, int slots) {
    ChampionCuts cuts;
    cuts.cut_tiles = tiles % slots;
    const std::int64_t all = std::int64_t{cuts.cut_tiles} * stages_of_a_tile;
    if (all == 0) return cuts;
    // Run r holds the stages from all * r / runs on and goes to one block.
    const std::int64_t runs = std::clamp<std::int64_t>(all * depth / kLeastCutDepth, 1, slots);
    std::int64_t run = 0;
    for (int tile = 0; tile < cuts.cut_tiles; ++tile) {
        const std::int64_t begin = std::int64_t{tile} * stages_of_a_tile;
        const std::int64_t end = begin + stages_of_a_tile;
        const std::size_t first_piece = cuts.pieces.size();
        for (std::int64_t at = begin; at < end;) {
            while (all * (run + 1) / runs <= at) ++run;
            const std::int64_t next = std::min(end, all * (run + 1) / runs);
            cuts.pieces.push_back({.tile = tile,
                                   .first_stage = static_cast<int>(at - begin),
                                   .stages = static_cast<int>(next - at),
                                   .pieces = 0,  // not known yet
                                   .rank = static_cast<int>(cuts.pieces.size() - first_piece),
                                   .first_part = cuts.parts});
            at = next;
        }
        const int pieces = static_cast<int>(cuts.pieces.size() - first_piece);
        for (std::size_t i = first_piece; i < cuts.pieces.size(); ++i)
            cuts.pieces[i].pieces = pieces;
        if (pieces > 1) cuts.parts += pieces;
    }
    std::ranges::stable_sort(cuts.pieces, std::ranges::greater{}, &ChampionCut::stages);
    return cuts;
}

}  // namespace tilereel
