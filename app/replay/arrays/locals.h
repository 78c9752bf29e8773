#pragma once
// The recorded values of local variables in each lane of a warp, at any tick of the replay.
// Assignments and multiply-adds take effect at the end of the previous request of their warp.
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/replay/replay.h"

namespace tilereel {

// A local variable, or an element of a local array.
struct LocalVariable {
    LocalId local = kNoLocal;
    std::uint32_t element = 0;
    bool is_element = false;  // of an array
    std::string name{};       // "sum", "sum[3]"
    std::string type{};       // in the source: "float"
    bool operator==(const LocalVariable&) const = default;
};

struct LocalValue {
    std::uint64_t bits = 0;  // the value's first 8 bytes
    bool known = false;      // false: nothing was assigned yet, or the value was not recorded
    bool changed = false;    // since the previous request
    bool operator==(const LocalValue&) const = default;
};
using LaneValues = std::array<LocalValue, kWarpSize>;

// Iterations of a loop that changes a variable, found in the recorded assignments: an iteration
// begins with an assignment to the loop counter.
struct LoopIterations {
    struct One {
        LocalValue counter;  // value of the loop counter
        LocalValue value;    // of the variable at the end of the iteration
        bool done = false;   // the value has been assigned by now
    };
    std::size_t counter = 0;  // the loop counter: index into WarpLocals::variables()
    std::vector<One> all;
    std::size_t now = 0;  // the current iteration; all.size(): none
    bool more_before = false, more_after = false;
};

class WarpLocals {
  public:
    // Walks all records of the warp once. The replay must outlive this.
    WarpLocals(const Replay& replay, std::uint32_t warp);

    // In the order of their first assignment.
    [[nodiscard]] const std::vector<LocalVariable>& variables() const { return variables_; }
    // The values in all lanes at the replay's present tick. `variable`: index into variables().
    [[nodiscard]] LaneValues values(std::size_t variable) const;
    // The last `most` values of one lane up to the present tick, oldest first.
    [[nodiscard]] std::vector<LocalValue> history(std::size_t variable, std::uint32_t lane,
                                                  std::size_t most) const;

    // The innermost loop at the present tick in which a lane assigns the variable. If it has more
    // than `most` iterations, only the page of `most` that contains the present one. nullopt if
    // there is no such loop.
    [[nodiscard]] std::optional<LoopIterations> iterations(std::size_t variable, std::uint32_t lane,
                                                           std::size_t most) const;

  private:
    struct Event {
        std::uint64_t record = 0;
        std::size_t word = 0;  // index in Trace::words; kNoWord: the value was not recorded
        std::uint32_t mask = 0;
        std::uint8_t words = 1;  // per lane
    };
    static constexpr std::size_t kNoWord = ~std::size_t{0};
    // Values of all lanes are kept for every kKeyframe-th event.
    static constexpr std::size_t kKeyframe = 64;
    // Records before `end` have taken effect at the present tick, those from `begin` on since the
    // previous request.
    struct Moment {
        std::uint64_t begin = 0, end = 0;
    };
    [[nodiscard]] Moment moment() const;
    void add_event(const Site& site, std::uint64_t record, std::size_t word);
    void name_variables();
    void find_counters();
    [[nodiscard]] SiteId site_of_event(const Event& event) const;
    [[nodiscard]] LocalValue value_of(const Event& event, std::uint32_t lane) const;
    [[nodiscard]] std::optional<LoopIterations> iterations_by(std::size_t counter,
                                                              std::size_t variable,
                                                              std::uint32_t lane,
                                                              std::size_t most) const;
    void apply(LaneValues& values, const Event& event) const;

    const Replay& replay_;
    std::uint32_t warp_;
    std::vector<std::uint64_t> step_records_;  // records of the warp's requests, ascending
    std::vector<std::uint32_t> steps_;         // numbers of the warp's steps, ascending
    std::vector<LocalVariable> variables_;
    std::vector<std::vector<Event>> events_;          // by variable, in order
    std::vector<std::vector<LaneValues>> keyframes_;  // by variable: before event i * kKeyframe
    // Loop counters: integers that only one line assigns, like the head of a for loop. Those with
    // more assignments (of inner loops) come first.
    std::vector<std::size_t> counters_;
    // A key of found_: the local, and its element or (of a sum) the accumulator.
    struct Key {
        LocalId local;
        bool sum;
        std::uint32_t number;
        auto operator<=>(const Key&) const = default;
    };
    std::map<Key, std::size_t> found_;
};

// The value as text for a table: "14.0", "true", "0x7f21c0"; "?" if unknown.
[[nodiscard]] std::string text_of(const Trace& trace, const LocalVariable& variable,
                                  const LocalValue& value);
// The value as the length of a bar; NaN if it is unknown or an address.
[[nodiscard]] double number_of(const Trace& trace, const LocalVariable& variable,
                               const LocalValue& value);
[[nodiscard]] bool is_address(const Trace& trace, const LocalVariable& variable);

}  // namespace tilereel
