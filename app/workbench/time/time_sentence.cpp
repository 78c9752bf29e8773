#include "app/workbench/time/time_sentence.h"

#include <cctype>

#include "app/workbench/time/estimate_figures.h"
#include "instrumentation/base/format/with_commas.h"

namespace tilereel {
namespace {

constexpr double kNamed = 0.2;  // an array with this share of the limiting pipe is named

class Writer {
  public:
    Writer(const TimeAnswer& answer, const GpuModel& gpu, const ToneOfArray& tone_of)
        : launch_(*answer.launch),
          complete_(answer.complete),
          found_(launch_.estimate),
          gpu_(gpu),
          tone_of_(tone_of) {}

    Sentence sentence() {
        const auto all = static_cast<std::uint64_t>(gpu_.multiprocessors);
        if (found_.kind == EstimateKind::kAtLeast)
            say_bound();
        else if (found_.latency && found_.blocks < all)
            say_small(all);
        else if (found_.block_starts)
            say_block_starts();
        else if (found_.latency)
            say_latency();
        else
            say_limit();
        say_change();
        return std::move(sentence_);
    }

  private:
    void say(std::string text, Tone tone = Tone::kPlain) {
        sentence_.push_back({tone, std::move(text)});
    }
    [[nodiscard]] double busy(Pipe pipe) const {
        return found_.busy[static_cast<std::size_t>(pipe)];
    }

    void say_bound() {
        say("At least " + duration_text(found_.seconds), Tone::kStrong);
        say(", a bound, because " + found_.why_bound + ". Of that time the " +
            std::string(name_of(found_.limiter)) + " is " + share_text(busy(found_.limiter)) +
            " busy.");
    }

    void say_small(std::uint64_t all) {
        say("The launch is small: ", Tone::kStrong);
        say(with_commas(found_.blocks) + " of " + with_commas(all) +
            " SMs have a block, and starting it takes about " +
            duration_text(found_.launch_seconds) + ".");
    }

    void say_block_starts() {
        say("Starting blocks is the limit: ", Tone::kStrong);
        say(with_commas(found_.blocks) + " blocks end as fast as the GPU can start others, about ");
        say(with_commas(static_cast<std::uint64_t>(gpu_.blocks_a_us)), Tone::kStrong);
        say(" a microsecond. Larger blocks, or several elements for each thread, need fewer.");
    }

    void say_latency() {
        say("Waiting is the limit: ", Tone::kStrong);
        say("no pipe is busy, most of all the " + std::string(name_of(found_.limiter)) + ", ");
        say(share_text(busy(found_.limiter)), Tone::kStrong);
        const LineTime* most = nullptr;
        for (const LineTime& line : found_.lines)
            if (most == nullptr || line.waited > most->waited) most = &line;
        if (most != nullptr) {
            say(". Warps wait most at ");
            say("line " + std::to_string(most->line), Tone::kStrong);
        }
        say(".");
    }

    [[nodiscard]] std::string limit_words(const std::vector<ArrayShare>& shares) const {
        switch (found_.limiter) {
            case Pipe::kMemory: {
                const bool shared = !shares.empty() && shares[0].array < launch_.arrays.size() &&
                                    launch_.arrays[shares[0].array].space == Space::kShared;
                return shared ? "Shared memory is the limit: " : "Global requests are the limit: ";
            }
            case Pipe::kMultiplyAdd:
            case Pipe::kTensor:
            case Pipe::kAlu:
            case Pipe::kXu:
            case Pipe::kFp64:
                return "Arithmetic is the limit: ";
            case Pipe::kIssue:
                return "Instructions are the limit: ";
            case Pipe::kL2:
                return "L2 is the limit: ";
            case Pipe::kDram:
                return "DRAM is the limit: ";
        }
        return {};
    }

    // "accesses to As and Bs keep the memory pipe 88 % busy, the FMA pipe 14 %."
    void say_limit() {
        const std::vector<ArrayShare> shares = shares_of_arrays(found_);
        say(limit_words(shares), Tone::kStrong);
        std::vector<std::string> names;
        for (const ArrayShare& each : shares)
            if (each.array < launch_.arrays.size() && each.share >= kNamed && names.size() < 3)
                names.push_back(launch_.arrays[each.array].name);
        if (!names.empty()) say("accesses to ");
        for (std::size_t i = 0; i < names.size(); ++i) {
            if (i > 0) say(i + 1 == names.size() ? " and " : ", ");
            say(names[i], tone_of_(names[i]));
        }
        say(names.empty() ? "the " : " keep the ");
        say(std::string(name_of(found_.limiter)) + (names.empty() ? " is " : " "));
        say(share_text(busy(found_.limiter)) + " busy", Tone::kStrong);
        if (found_.limiter != Pipe::kMultiplyAdd && busy(Pipe::kMultiplyAdd) > 0) {
            say(", the FMA pipe ");
            say(share_text(busy(Pipe::kMultiplyAdd)), Tone::kStrong);
        }
        say(".");
    }

    void say_change() {
        const TimeChange* const change = change_to_try(launch_);
        if (change == nullptr && complete_ && !launch_.changes.empty())
            say(" No change that was tried makes it a tenth faster.");
        if (change == nullptr) return;
        const bool is_fault =
            change->kind == ChangeKind::kNoConflicts || change->kind == ChangeKind::kCoalesced;
        std::string what = change->what;
        if (is_fault && what.starts_with("every")) what = "with " + what;
        if (is_fault)
            what[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(what[0])));
        say(" ");
        say(what, is_fault ? Tone::kPlain : Tone::kAccent);
        say(is_fault ? " it would be about " : " would be about ");
        say(two_digits(launch_.times_as_fast(*change)) + " times as fast", Tone::kAccent);
        say(".");
    }

    const EstimatedLaunch& launch_;
    bool complete_;  // all changes are estimated
    const TimeEstimate& found_;
    const GpuModel& gpu_;
    const ToneOfArray& tone_of_;
    Sentence sentence_;
};

}  // namespace

Sentence time_sentence(const TimeAnswer& answer, const GpuModel& gpu, const ToneOfArray& tone_of) {
    if (!answer.problem.empty()) {
        std::string problem = answer.problem + ".";
        problem[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(problem[0])));
        return {{Tone::kPlain, std::move(problem)}};
    }
    if (!answer.launch) return {{Tone::kPlain, "The time is being estimated."}};
    return Writer(answer, gpu, tone_of).sentence();
}

}  // namespace tilereel
