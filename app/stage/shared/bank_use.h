#pragma once
// The lanes that each bank serves in this wavefront, and the lanes that wait for it.
#include <array>
#include <string>
#include <vector>

#include "app/stage/scene.h"

namespace tilereel::stage {

struct BankUse {
    std::vector<std::uint32_t> now;      // lanes served in this wavefront
    std::vector<std::uint32_t> waiting;  // one lane for each word that is not served yet, in order
    std::uint32_t served = 0;            // lanes served in earlier wavefronts
    std::uint32_t words = 0;             // distinct words of this bank that the request accesses
    // The most wavefronts of this bank for one group of lanes; at most 1 without a conflict. (A
    // copy that bypasses the L1 cache takes several wavefronts that do not count as conflicts.)
    std::uint32_t wavefronts = 0;
    [[nodiscard]] bool conflicted() const { return wavefronts > 1; }
};

// How the current request uses the banks.
struct RequestBanks {
    bool idle = true;  // no shared-memory request is running
    std::array<BankUse, kBankColumns> bank;
    std::uint32_t words = 0;         // number of distinct words that it accesses
    std::uint32_t used = 0;          // number of banks that it accesses
    std::uint32_t queues = 0;        // number of banks with a conflict
    std::uint32_t worst = kNoIndex;  // the bank with a conflict that takes the most wavefronts
    // Groups of lanes are served one after another: the current one, and their number.
    std::uint32_t group = 0, groups = 0;
    LaneGroup served_now{};
    // An asynchronous copy of several wavefronts without a conflict, as copy_cost.h says:
    bool shares_by_move = false;  // of 16 bytes
    bool by_half_warps = false;   // of 8 bytes
};
[[nodiscard]] RequestBanks banks_of_request(const Scene& scene);

// The last shared-memory request before the running one.
struct LastShared {
    const Site* site = nullptr;  // nullptr: there is none
    std::uint32_t wavefronts = 0;
    std::uint32_t banks = 0;  // mask of the banks that it used
};
// LastShared{} if there is none, or if a shared-memory request is running.
[[nodiscard]] LastShared last_shared(const Scene& scene, const RequestBanks& now);
// Draws a bar in a bank that the last request used.
void mark_last_shared(const Scene& scene, const Rect& rect, const LastShared& last,
                      std::uint32_t bank);

// "wavefront 8 of 32", "1 wavefront, no conflict", "idle: global load"
[[nodiscard]] std::string caption_of_banks(const Scene& scene, const RequestBanks& now);
// In the conflict colour if there is a conflict.
[[nodiscard]] TextStyle caption_style(const Scene& scene, const RequestBanks& now,
                                      Align align = Align::kLeft);
// "lane 3 is at bank 5; 4 wait, one wavefront each", "32 lanes read 2 words: a broadcast"
[[nodiscard]] std::string banks_text(const Scene& scene, const RequestBanks& now, bool brief);

// The number of banks from `bank` on, before `end`, that serve consecutive words of the same lanes:
// 4 if a lane reads 16 bytes.
[[nodiscard]] std::uint32_t joined_banks(const Scene& scene, const RequestBanks& now,
                                         std::uint32_t bank, std::uint32_t end);

// A cell for a bank, lane or wavefront, with a number in it.
struct BankCell {
    Rect rect;
    CellLook look = CellLook::kIdle;
    std::string number{};
    bool broadcast = false;  // several lanes read the same word: a bar shows it
};
// `px`: font size of the numbers. If it is too small to read, none of them is drawn.
void draw_bank_cells(Scene& scene, std::vector<BankCell> cells, float px);
[[nodiscard]] CellLook look_of_bank(const BankUse& use);

}  // namespace tilereel::stage
