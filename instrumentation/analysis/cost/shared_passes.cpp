#include "instrumentation/analysis/cost/shared_passes.h"

#include <algorithm>
#include <bitset>

#include "instrumentation/analysis/cost/bank_service.h"
#include "instrumentation/analysis/generations/memory_units.h"

namespace tilereel {
namespace {

constexpr std::size_t kMostWords = kWarpSize * 4;  // a full warp of 16-byte accesses

bool is_active(const LaneOffsets& lanes, int lane) { return (lanes.mask >> lane & 1u) != 0; }

// True if lane and lane ^ distance have the same address wherever both are active.
bool neighbours_agree(const LaneOffsets& lanes, int distance) {
    for (int lane = 0; lane < kWarpSize; ++lane) {
        const int other = lane ^ distance;
        if (is_active(lanes, lane) && is_active(lanes, other) &&
            lanes.bytes[lane] != lanes.bytes[other])
            return false;
    }
    return true;
}

// Every bank serves one word per wavefront to all lanes that access it. The wavefront of a word is
// its position in the queue of its bank, so a pass costs the most distinct words in one bank.
std::uint32_t serve_every_word(std::span<WantedWord> wanted, std::uint32_t banks) {
    std::array<std::uint32_t, kMostWords> words{};
    std::array<std::uint32_t, kWarpSize> length{};  // of each bank's queue
    std::size_t count = 0;
    for (WantedWord& want : wanted) {
        const std::uint32_t bank = want.word % banks;
        want.wavefront = 0;
        std::size_t at = 0;
        for (; at < count && words[at] != want.word; ++at)
            want.wavefront += words[at] % banks == bank;
        if (at < count) continue;
        words[count++] = want.word;
        ++length[bank];
    }
    return *std::ranges::max_element(length);
}

// One word per wavefront is broadcast; every other bank serves one lane. NVIDIA does not
// specify which word is broadcast and which lane is served: here the lowest remaining lane decides.
std::uint32_t serve_one_broadcast(std::span<WantedWord> wanted, std::uint32_t banks) {
    std::array<bool, kMostWords> served{};
    std::size_t left = wanted.size();
    std::uint32_t wavefront = 0;
    for (; left > 0; ++wavefront) {
        const std::size_t first =
            static_cast<std::size_t>(std::ranges::find(served, false) - served.begin());
        std::uint32_t busy = 1u << wanted[first].word % banks;
        for (std::size_t i = first; i < wanted.size(); ++i) {
            if (served[i]) continue;
            const std::uint32_t bank = 1u << wanted[i].word % banks;
            if (wanted[i].word != wanted[first].word && (busy & bank) != 0) continue;
            busy |= bank;
            served[i] = true;
            wanted[i].wavefront = wavefront;
            --left;
        }
    }
    return wavefront;
}

}  // namespace

int lanes_in_group(const WarpAccess& access, const SharedRules& rules) {
    const int usual = rules.lanes.of(access.width_bytes);
    const bool merged = rules.same_address_wide_loads_merge && access.width_bytes > kWordBytes &&
                        access.operation == Operation::kLoad &&
                        (neighbours_agree(access.lanes, 1) || neighbours_agree(access.lanes, 2));
    return merged ? usual * 2 : usual;
}

void for_each_pass(const WarpAccess& access, const SharedRules& rules,
                   const std::function<void(const SharedPass&)>& visit) {
    const std::uint32_t words = std::max(1u, access.width_bytes / kWordBytes);
    const std::uint32_t words_a_pass = rules.word_by_word ? 1 : words;
    const bool one_broadcast = rules.broadcasts_one_word && access.operation == Operation::kLoad;
    const int size = lanes_in_group(access, rules);
    const auto banks = static_cast<std::uint32_t>(rules.banks);
    std::array<WantedWord, kMostWords> all;
    for (int first = 0; first < kWarpSize; first += size) {
        for (std::uint32_t begin = 0; begin < words; begin += words_a_pass) {
            std::size_t count = 0;
            for (int lane = first; lane < first + size; ++lane) {
                if (!is_active(access.lanes, lane)) continue;
                const std::uint32_t word = access.lanes.bytes[lane] / kWordBytes + begin;
                for (std::uint32_t i = 0; i < words_a_pass; ++i)
                    all[count++] = {.lane = lane, .word = word + i};
            }
            if (count == 0) continue;
            const auto wanted = std::span(all).first(count);
            const std::uint32_t wavefronts = one_broadcast ? serve_one_broadcast(wanted, banks)
                                                           : serve_every_word(wanted, banks);
            visit({.wanted = wanted, .wavefronts = wavefronts});
        }
    }
}

namespace {

// For each bank, the number of wavefronts of a pass in which it serves a lane.
std::array<std::uint8_t, kWarpSize> busy_wavefronts(const SharedPass& pass, std::uint32_t banks) {
    std::array<std::uint8_t, kWarpSize> busy{};
    std::array<std::bitset<kMostWords>, kWarpSize> seen{};
    for (const WantedWord& want : pass.wanted) {
        const std::uint32_t bank = want.word % banks;
        if (seen[bank][want.wavefront]) continue;
        seen[bank].set(want.wavefront);
        ++busy[bank];
    }
    return busy;
}

}  // namespace

BankService bank_service(const WarpAccess& access, const Generation& generation) {
    const auto banks = static_cast<std::uint32_t>(generation.shared.banks);
    BankService service;
    service.bank.fill(BankService::kOff);
    service.wavefront.fill(BankService::kOff);
    std::array<WantedWord, kMostWords> whole_request;
    std::size_t count = 0;
    const auto lengths_of = [banks](std::span<const WantedWord> wanted) {
        std::array<std::uint8_t, kWarpSize> distinct{};  // words, by bank
        for (std::size_t i = 0; i < wanted.size(); ++i) {
            const auto before = wanted.first(i);
            if (std::ranges::find(before, wanted[i].word, &WantedWord::word) == before.end())
                ++distinct[wanted[i].word % banks];
        }
        return distinct;
    };
    std::uint32_t wavefronts_before = 0;  // passes follow one another
    for_each_pass(access, generation.shared, [&](const SharedPass& pass) {
        for (const WantedWord& want : pass.wanted) {
            std::uint8_t& done = service.wavefront[want.lane];
            const auto wavefront = static_cast<std::uint8_t>(wavefronts_before + want.wavefront);
            if (service.bank[want.lane] == BankService::kOff) {
                service.bank[want.lane] = static_cast<std::uint8_t>(want.word % banks);
                done = wavefront;
            }
            done = std::max(done, wavefront);
            whole_request[count++] = want;
        }
        wavefronts_before += pass.wavefronts;
        const auto lengths = lengths_of(pass.wanted);
        const auto busy = busy_wavefronts(pass, banks);
        for (std::size_t bank = 0; bank < lengths.size(); ++bank) {
            service.worst_group_words[bank] =
                std::max(service.worst_group_words[bank], lengths[bank]);
            service.worst_group_wavefronts[bank] =
                std::max(service.worst_group_wavefronts[bank], busy[bank]);
        }
    });
    service.words_in_bank = lengths_of(std::span(whole_request).first(count));
    service.banks_used = static_cast<std::uint32_t>(
        kWarpSize - std::ranges::count(service.words_in_bank, std::uint8_t{0}));
    return service;
}

}  // namespace tilereel
