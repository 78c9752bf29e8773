#pragma once
// A thread's local variables as the trace recorded them: their values in each lane of a warp at any
// moment of the replay. Assignments and sums take effect when the request before them in their warp
// ends.
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
    std::string type{};       // as the compiler writes it: "float"
    bool operator==(const LocalVariable&) const = default;
};

struct LocalValue {
    std::uint64_t bits = 0;  // the value's first 8 bytes
    bool known = false;      // false: nothing was assigned yet, or the value was not kept
    bool changed = false;    // since the request before the one that is shown
    bool operator==(const LocalValue&) const = default;
};
using LaneValues = std::array<LocalValue, kWarpSize>;

// Iterations of a loop in which a variable changes, as the recorded assignments tell: an iteration
// begins with an assignment to the loop's own variable.
struct LoopIterations {
    struct One {
        LocalValue counter;  // the loop's own variable
        LocalValue value;    // of the variable, as the iteration leaves it
        bool done = false;   // the value has been assigned by now
    };
    std::size_t counter = 0;  // the loop's own variable: index into WarpLocals::variables()
    std::vector<One> all;
    std::size_t now = 0;  // the one under way; all.size(): none is
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

    // The innermost loop around the present moment in which a lane assigns the variable. If it has
    // more than `most` iterations, only the page of `most` that holds the present one. nullopt:
    // there is no such loop.
    [[nodiscard]] std::optional<LoopIterations> iterations(std::size_t variable, std::uint32_t lane,
                                                           std::size_t most) const;

  private:
    struct Event {
        std::uint64_t record = 0;
        std::size_t word = 0;  // of Trace::words; kNoWord: the value was not kept
        std::uint32_t mask = 0;
        std::uint8_t words = 1;  // of one lane
    };
    static constexpr std::size_t kNoWord = ~std::size_t{0};
    // Values of all lanes are kept for every kKeyframe-th event.
    static constexpr std::size_t kKeyframe = 64;
    // What has taken effect at the present tick: records before `end`. Those from `begin` on took
    // effect since the request before.
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
    std::vector<std::uint64_t> step_records_;  // of the warp's requests, ascending
    std::vector<std::uint32_t> steps_;         // likewise, as numbers of steps
    std::vector<LocalVariable> variables_;
    std::vector<std::vector<Event>> events_;          // by variable, in order
    std::vector<std::vector<LaneValues>> keyframes_;  // by variable: before event i * kKeyframe
    // Variables that count the trips of a loop: integers that one line assigns, as the head of a
    // for loop does. Those with more assignments, of inner loops, come first.
    std::vector<std::size_t> counters_;
    // While the records are walked: by local, and element or (of sums) accumulator.
    struct Key {
        LocalId local;
        bool sum;
        std::uint32_t number;
        auto operator<=>(const Key&) const = default;
    };
    std::map<Key, std::size_t> found_;
};

// As it is written in a table: "14.0", "true", "0x7f21c0"; "?" where it is not known.
[[nodiscard]] std::string text_of(const Trace& trace, const LocalVariable& variable,
                                  const LocalValue& value);
// The value as the length of a bar; NaN if it is not known or is an address.
[[nodiscard]] double number_of(const Trace& trace, const LocalVariable& variable,
                               const LocalValue& value);
[[nodiscard]] bool is_address(const Trace& trace, const LocalVariable& variable);

}  // namespace tilereel
