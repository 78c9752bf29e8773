// 20_champion at every TILE, in whichever build is asked for.
#include "kernels/20_champion.cuh"

template <int TILE>
const void* champion_at() {
    return reinterpret_cast<const void*>(champion<typename ChampionToWatch<TILE>::Tile, false>);
}
extern const void* const kBoxes[] = {champion_at<16>(), champion_at<32>(), champion_at<256>()};
