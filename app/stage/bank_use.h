#pragma once
// Who stands at which bank in this wavefront, and who waits behind.
#include <array>
#include <string>
#include <vector>

#include "app/stage/scene.h"

namespace tilereel::stage {

inline constexpr std::uint32_t kMostBanks = kBankColumns;

struct BankUse {
    std::vector<std::uint32_t> now;      // lanes served in this wavefront
    std::vector<std::uint32_t> waiting;  // one lane for each word still to be served, in order
    std::uint32_t served = 0;            // lanes served before
    std::uint32_t words = 0;             // distinct words wanted of this bank by the request
    // Wavefronts that the bank takes for the lanes served together, at most; 1 where a bank is used
    // and the request costs no conflict: a copy past the L1 cache takes several, none of which
    // counts as one.
    std::uint32_t wavefronts = 0;
    [[nodiscard]] bool conflicted() const { return wavefronts > 1; }
};

struct BanksNow {
    bool idle = true;  // no shared request is running
    bool running = false;
    std::array<BankUse, kMostBanks> bank;
    std::uint32_t lanes = 0;         // active lanes of the request
    std::uint32_t words = 0;         // distinct words it wants
    std::uint32_t used = 0;          // banks it touches
    std::uint32_t queues = 0;        // banks at which lanes wait or conflict
    std::uint32_t worst = kNoIndex;  // conflicted bank that takes the most wavefronts
    // Of several groups of lanes that are served one after another, the one whose turn it is.
    std::uint32_t group = 0, groups = 0;
    LaneGroup served_now{};
    std::uint32_t width_bytes = 4;
    std::uint32_t lanes_together = kWarpSize;
    bool merged = false;
    bool shares_by_move = false;  // pieces of 16 bytes share a wavefront if they move alike
};
[[nodiscard]] BanksNow banks_now(const Scene& scene);

// The last shared request before the one that runs; banks it used. nullopt: none.
struct LastShared {
    const Site* site = nullptr;
    std::uint32_t wavefronts = 0;
    std::uint32_t banks = 0;  // mask
};
[[nodiscard]] bool last_shared(const Scene& scene, LastShared& last);

// "wavefront 8 of 32", "1 wavefront, no conflict", "idle: global load"
[[nodiscard]] std::string caption_of_banks(const Scene& scene, const BanksNow& now);
// "lanes 8 to 31 wait, one wavefront each", "32 lanes read 2 words: a broadcast"
[[nodiscard]] std::string words_of_banks(const Scene& scene, const BanksNow& now, bool brief);

// How many banks from `bank` on, before `end`, serve neighbouring words of the same lanes: 4 where
// a lane reads 16 bytes.
[[nodiscard]] std::uint32_t joined_banks(const Scene& scene, const BanksNow& now,
                                         std::uint32_t bank, std::uint32_t end);

// One bank or token: `turn` for the look, lane or bank number in it.
void draw_bank_cell(Scene& scene, const Rect& rect, CellLook look, Role role,
                    const std::string& text, float px);
// The look of a bank, and the colour of the text in it.
[[nodiscard]] CellLook look_of_bank(const BankUse& use);

}  // namespace tilereel::stage
