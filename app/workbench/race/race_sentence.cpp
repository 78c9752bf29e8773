#include "app/workbench/race/race_sentence.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "instrumentation/base/format/with_commas.h"

namespace tilereel {
namespace {

constexpr double kSame = 0.05;  // of the slower: a smaller change "changes little"

struct Pair {
    std::uint32_t plain = 0, padded = 0, size = 0;
    double before = 0, after = 0;  // GFLOPS
    [[nodiscard]] double gain() const { return std::abs(std::log(after / before)); }
};

std::optional<Pair> pair_of(const RaceSentenceFacts& facts, std::uint32_t contender) {
    const auto& contenders = facts.race.request.contenders;
    const std::optional<std::uint32_t> counterpart = counterpart_of(facts.race.request, contender);
    if (!counterpart) return std::nullopt;
    Pair pair{.plain = contender, .padded = *counterpart};
    if (contenders[pair.plain].pad > contenders[pair.padded].pad)
        std::swap(pair.plain, pair.padded);
    if (contenders[pair.plain].pad != 0) return std::nullopt;
    const auto size = largest_size(facts.race, facts.figures, {pair.plain, pair.padded});
    if (!size) return std::nullopt;
    pair.size = *size;
    pair.before = *facts.figures.median(pair.plain, *size);
    pair.after = *facts.figures.median(pair.padded, *size);
    if (!(pair.before > 0) || !(pair.after > 0)) return std::nullopt;
    return pair;
}

// The pair of the chosen contender, or without a choice the pair that padding changes most.
std::optional<Pair> default_pair(const RaceSentenceFacts& facts) {
    if (facts.chosen) return pair_of(facts, *facts.chosen);
    std::optional<Pair> best;
    for (std::uint32_t c = 0; c < facts.race.request.contenders.size(); ++c)
        if (const auto pair = pair_of(facts, c); pair && (!best || pair->gain() > best->gain()))
            best = pair;
    return best;
}

void say(Sentence& sentence, std::string text, Tone tone = Tone::kPlain) {
    sentence.push_back({tone, std::move(text)});
}

std::string conflicts_a_request(const AccessCounts& counts) {
    return figure_text(static_cast<double>(counts.bank_conflicts) /
                       static_cast<double>(std::max<std::uint64_t>(counts.requests, 1)));
}

std::string factor_text(double factor) {
    char text[32];
    std::snprintf(text, sizeof text, "%.*f", factor >= 9.95 ? 0 : factor >= 0.995 ? 1 : 2, factor);
    return text;
}

// Names the contenders whose samples vary widely: a comparison of their medians is uncertain.
void say_unsteady(Sentence& sentence, const RaceSentenceFacts& facts,
                  std::initializer_list<std::uint32_t> compared, std::uint32_t size) {
    std::string who;
    for (const std::uint32_t c : compared) {
        if (!facts.figures.unsteady(c, size)) continue;
        const Statistics& spread = *facts.figures.entries[c][size].rate;
        who += (who.empty() ? "" : ", ") + title_of(facts.race.request.contenders[c]) +
               " varied between " + figure_text(spread.least) + " and " + figure_text(spread.most);
    }
    if (who.empty()) return;
    say(sentence, " Uncertain", Tone::kConflict);
    say(sentence, ", the machine was busy: " + who + " " + rate_unit(facts.race.request) + ".");
}

// Adds the bank conflicts that the replay counts for the two kernels.
void say_conflicts(Sentence& sentence, const std::string& kernel, const SizedCounts& plain,
                   const SizedCounts& padded) {
    const AccessCounts& before = plain.counts.shared_load;
    const AccessCounts& after = padded.counts.shared_load;
    if (before.bank_conflicts > after.bank_conflicts && after.bank_conflicts == 0) {
        say(sentence, " The " + std::to_string(before.worst_wavefronts) +
                          "-way conflict in the recording of " + kernel + " is gone here, too.");
    } else if (before.bank_conflicts != after.bank_conflicts) {
        say(sentence, " The recording counts " + conflicts_a_request(before) +
                          " conflicts a load request without padding, " +
                          conflicts_a_request(after) + " with it.");
    } else if (padded.counts.shared_store.bank_conflicts >
               plain.counts.shared_store.bank_conflicts) {
        say(sentence,
            " The recording shows why: loads have as many conflicts as before, and stores have new "
            "ones.");
    } else if (before.bank_conflicts == 0) {
        say(sentence, " The recording has no conflict to remove.");
    }
}

void say_pair(Sentence& sentence, const RaceSentenceFacts& facts, const Pair& pair) {
    const Contender& padded = facts.race.request.contenders[pair.padded];
    const std::string words = padded.pad == 1 ? "One word" : std::to_string(padded.pad) + " words";
    const double ratio = pair.after / pair.before;
    const bool better = ratio > 1 + kSame, worse = ratio < 1 / (1 + kSame);
    const std::string of_what = better  ? " of padding a row: "
                                : worse ? " of padding a row costs speed: "
                                        : " of padding a row changes little: ";
    say(sentence, words + of_what);
    say(sentence, figure_text(pair.before), better ? Tone::kConflict : Tone::kStrong);
    say(sentence, " becomes ");
    say(sentence, figure_text(pair.after) + " GFLOPS", better ? Tone::kAccent : Tone::kStrong);
    say(sentence, " at " + size_text(facts.race.request.sizes[pair.size]) + ".");
    say_unsteady(sentence, facts, {pair.plain, pair.padded}, pair.size);
    const SizedCounts* plain =
        facts.counts ? facts.counts(facts.race.request.contenders[pair.plain]) : nullptr;
    const SizedCounts* with = facts.counts ? facts.counts(padded) : nullptr;
    if (plain != nullptr && with != nullptr)
        say_conflicts(sentence, title_of(padded), *plain, *with);
}

// Compares the chosen contender, or else our fastest kernel, with naive and the reference.
bool say_standing(Sentence& sentence, const RaceSentenceFacts& facts) {
    const RaceRequest& request = facts.race.request;
    std::optional<std::uint32_t> who = facts.chosen, size;
    if (who) {
        size = largest_size(facts.race, facts.figures, {*who});
    } else {
        for (std::uint32_t c = 0; c < request.contenders.size(); ++c) {
            if (is_reference(request.contenders[c])) continue;
            const auto own = largest_size(facts.race, facts.figures, {c});
            if (!own) continue;
            if (who && work_at(request, *own) < work_at(request, *size)) continue;
            if (who && *own == *size &&
                *facts.figures.median(c, *own) <= *facts.figures.median(*who, *size))
                continue;
            who = c;
            size = own;
        }
    }
    if (!who || !size) return false;
    const Contender& contender = request.contenders[*who];
    const std::string parameters = parameters_text(request, *who);
    say(sentence, title_of(contender), Tone::kStrong);
    say(sentence, (parameters.empty() ? "" : ", " + parameters) + ": ");
    say(sentence, figure_text(*facts.figures.median(*who, *size)) + " " + rate_unit(request),
        Tone::kAccent);
    std::string rest = " at " + size_text(request.sizes[*size]);
    const auto naive = naive_for(request, *who);
    if (const auto factor = speed_up(request, facts.figures, *who, *size); factor && *naive != *who)
        rest += ", " + factor_text(*factor) + " times " + title_of(request.contenders[*naive]);
    if (const auto share = share_of_reference(facts.figures, *who, *size);
        share && *facts.figures.references[*who] != *who)
        rest += ", " + figure_text(100 * *share) + " % of " +
                title_of(request.contenders[*facts.figures.references[*who]]);
    say(sentence, rest + ".");
    const auto reference = facts.figures.references[*who];
    if (reference && reference != who)
        say_unsteady(sentence, facts, {*who, *reference}, *size);
    else
        say_unsteady(sentence, facts, {*who}, *size);
    return true;
}

void say_failures(Sentence& sentence, const RaceSentenceFacts& facts) {
    const RaceRequest& request = facts.race.request;
    for (std::size_t c = 0; c < request.contenders.size(); ++c)
        for (const RaceEntry& entry : facts.figures.entries[c])
            if (entry.outcome == Outcome::kWrong) {
                say(sentence, " ");
                say(sentence, title_of(request.contenders[c]), Tone::kConflict);
                say(sentence, is_of_products(request) ? " computes a wrong C: it is not timed."
                                                      : " computes something else than on the CPU: "
                                                        "it is not timed.");
                return;
            }
}

// The sizes at which results were compared with nothing.
void say_unchecked(Sentence& sentence, const RaceSentenceFacts& facts) {
    const RaceRequest& request = facts.race.request;
    for (const std::uint32_t s : sizes_by_edge(request))
        for (std::size_t c = 0; c < request.contenders.size(); ++c) {
            if (facts.figures.entries[c][s].outcome != Outcome::kUnchecked) continue;
            say(sentence, " From " + size_text(request.sizes[s]) +
                              " on results were not checked, only the same in each launch.");
            return;
        }
}

}  // namespace

std::string figure_text(double value) {
    if (!std::isfinite(value)) return "-";
    const double size = std::abs(value);
    if (size >= 99.95) return with_commas(static_cast<std::uint64_t>(std::llround(value)));
    char text[32];
    std::snprintf(text, sizeof text, "%.*f", size >= 9.995 ? 1 : 2, value);
    return text;
}

std::string times_text(double factor) {
    return "\xc3\x97" + factor_text(factor);  // multiplication sign
}

std::string size_text(const ProductSize& size) {
    if (is_square(size)) return "N = " + with_commas(size.n);
    return "M N K = " + with_commas(size.m) + " " + with_commas(size.n) + " " + with_commas(size.k);
}

std::string machine_text(const RaceMachine& machine) {
    if (machine.gpu) return machine.device;
    std::string text = "CPU: " + machine.device;
    if (machine.threads > 0)
        text += ", " + std::to_string(machine.threads) +
                (machine.threads == 1 ? " thread" : " threads");
    return text;
}

Sentence race_sentence(const RaceSentenceFacts& facts) {
    Sentence sentence;
    if (const auto pair = default_pair(facts))
        say_pair(sentence, facts, *pair);
    else if (!say_standing(sentence, facts))
        say(sentence, facts.running ? "Nothing is measured yet." : "Nothing was measured.");
    say_failures(sentence, facts);
    say_unchecked(sentence, facts);
    if (facts.running && facts.figures.running_size)
        say(sentence, " Now measuring " +
                          size_text(facts.race.request.sizes[*facts.figures.running_size]) + ".");
    if (!facts.running && !facts.race.complete) say(sentence, " The race was cut off.");
    if (facts.race.recorded)
        say(sentence, " Recorded on " + machine_text(facts.race.machine) + ", " +
                          facts.race.date.substr(0, 10) + ".");
    return sentence;
}

}  // namespace tilereel
