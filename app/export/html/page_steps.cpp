#include "app/export/html/page_steps.h"

#include <algorithm>
#include <array>
#include <bit>

#include "app/export/counter_rows.h"
#include "app/export/html/numbering.h"
#include "app/export/html/page_cells.h"
#include "app/export/html/page_fragments.h"
#include "app/replay/sentence/sentence_facts.h"
#include "app/replay/sentence/wording.h"
#include "instrumentation/analysis/cost/counters.h"

namespace tilereel {
namespace {

using Numbers = std::vector<std::uint32_t>;

// The addresses of a request's lanes: [mask, then for each active lane its byte offset from the
// first active lane].
nlohmann::json pattern_of(const LaneOffsets& lanes) {
    nlohmann::json pattern = nlohmann::json::array({lanes.mask});
    const std::uint32_t first = lanes.bytes[static_cast<std::size_t>(std::countr_zero(lanes.mask))];
    for (std::uint32_t mask = lanes.mask; mask != 0; mask &= mask - 1)
        pattern.push_back(
            std::int64_t{lanes.bytes[static_cast<std::size_t>(std::countr_zero(mask))]} - first);
    return pattern;
}

// How the banks serve a request: [number of banks used, then for each of them bank, distinct words,
// wavefronts; then for each word lane, bank, wavefront, offset from the lowest word]. Empty if the
// request is not to shared memory.
Numbers service_of(const RequestState& request) {
    Numbers service;
    if (request.words.words.empty()) return service;
    service.push_back(request.service.banks_used);
    for (std::uint32_t bank = 0; bank < request.service.words_in_bank.size(); ++bank)
        if (request.service.words_in_bank[bank] > 0)
            service.insert(service.end(), {bank, request.service.words_in_bank[bank],
                                           request.service.worst_group_wavefronts[bank]});
    std::uint32_t lowest = ~0u;
    for (const ServedWord& word : request.words.words) lowest = std::min(lowest, word.word);
    for (const ServedWord& word : request.words.words)
        service.insert(service.end(), {word.lane, word.bank, word.wavefront, word.word - lowest});
    return service;
}

// A letter for each warp, in the order of Activity.
std::string letters_of(const std::vector<WarpState>& warps) {
    constexpr std::string_view kLetters = "lswcrda";
    std::string letters;
    for (const WarpState& warp : warps)
        letters += kLetters[static_cast<std::size_t>(warp.activity)];
    return letters;
}

nlohmann::json spans_of(const Sentence& sentence) {
    nlohmann::json spans = nlohmann::json::array();
    for (const Span& span : sentence) {
        spans.push_back(static_cast<int>(span.tone));
        spans.push_back(span.text);
    }
    return spans;
}

class StepsWriter {
  public:
    StepsWriter(Replay& replay, const std::vector<ArrayPicture>& pictures)
        : replay_(replay), pictures_(pictures), cells_(replay, pictures), fragments_(replay) {}

    // Adds the state when `step` begins; if `step` is steps().size(), the state at the end.
    void add(std::uint32_t step) {
        const std::vector<Step>& steps = replay_.schedule().steps;
        const bool over = step == steps.size();
        const ReplayState& state =
            replay_.seek(over ? replay_.schedule().ticks : steps[step].begin);
        put("begin", over ? replay_.schedule().ticks : steps[step].begin);
        put("ticks", over ? 0 : steps[step].ticks);
        put("sentence", sentences_.number_of(spans_of(replay_.sentence())));
        put("warps", warps_.number_of(letters_of(state.warps)));
        put("phase", state.phase);
        put("part", static_cast<int>(state.part));
        nlohmann::json changes = cells_.changes(state, step);
        bytes_ += 4 * changes.size() + 60;
        put("changes", std::move(changes));
        if (over) return;
        add_request(steps[step], step, state.request);
        put("fragments", fragments_.number_now());
        put("tickWavefronts", wavefronts_by_tick(steps[step]));
    }

    [[nodiscard]] std::uint64_t bytes() const {
        return bytes_ + fragments_.bytes();
    }  // an estimate

    [[nodiscard]] PageSteps take() {
        nlohmann::json tables = {{"sentences", sentences_.json()},
                                 {"warps", warps_.json()},
                                 {"patterns", patterns_.json()},
                                 {"services", services_.json()},
                                 {"costs", costs_.json()},
                                 {"values", cells_.values()},
                                 {"fragments", fragments_.moments()},
                                 {"fragmentLayouts", fragments_.layouts()},
                                 {"fragmentValues", fragments_.values()}};
        return {std::move(columns_), std::move(tables)};
    }

  private:
    template <class T>
    void put(const char* column, T value) {
        columns_[column].push_back(std::move(value));
    }

    // The wavefront that runs at each tick of the step. In measured time the number of ticks
    // differs from the number of wavefronts. null in modelled time, where each tick is a wavefront
    // or a line.
    [[nodiscard]] nlohmann::json wavefronts_by_tick(const Step& step) {
        if (replay_.schedule().cycles_per_tick == 0) return nullptr;
        nlohmann::json wavefronts = nlohmann::json::array();
        for (Tick tick = step.begin; tick < step.end(); ++tick)
            wavefronts.push_back(replay_.seek(tick).request.wavefront);
        return wavefronts;
    }

    void add_request(const Step& step, std::uint32_t number, const RequestState& request) {
        const Trace& trace = replay_.trace();
        const Site& site = trace.sites[step.site];
        const auto picture =
            std::ranges::find(pictures_, site.array, &ArrayPicture::array) - pictures_.begin();
        put("warp", step.warp);
        put("line", site.line);
        put("file", site.file);
        put("array", picture);
        put("operation", static_cast<int>(site.operation));
        put("width", site.width_bytes);
        const LaneOffsets& lanes = request.access.lanes;
        put("pattern", patterns_.number_of(pattern_of(lanes)));
        put("base", lanes.bytes[static_cast<std::size_t>(std::countr_zero(lanes.mask))]);
        put("service", services_.number_of(service_of(request)));
        put("cost", costs_.number_of(cost_of_step(site, replay_.schedule().costs[number])));
    }

    // [lanes, wavefronts, conflicts, transactions, lines, bytes requested, bytes used, bytes moved,
    // then the amount that the request adds to each of counter_rows()].
    [[nodiscard]] std::vector<std::uint64_t> cost_of_step(const Site& site,
                                                          const RequestCost& cost) const {
        std::vector<std::uint64_t> numbers = {
            cost.lanes, cost.wavefronts,      cost.bank_conflicts, cost.transactions,
            cost.lines, cost.bytes_requested, cost.bytes_used,     cost.bytes_moved};
        KernelCounts one;
        // Of a product's reads there is no counter.
        if (!site.is_of_product())
            count_request(one, replay_.trace().arrays[site.array].space, site.operation, cost);
        for (const CounterRow& row : counter_rows(one, replay_.generation()))
            numbers.push_back(row.value);
        return numbers;
    }

    Replay& replay_;
    const std::vector<ArrayPicture>& pictures_;
    PageCells cells_;
    PageFragments fragments_;
    Numbering<nlohmann::json> sentences_, patterns_;
    Numbering<std::string> warps_;
    Numbering<Numbers> services_;
    Numbering<std::vector<std::uint64_t>> costs_;
    nlohmann::json columns_;
    std::uint64_t bytes_ = 0;
};

}  // namespace

Result<PageSteps> page_steps(Replay& replay, const std::vector<ArrayPicture>& pictures,
                             std::uint64_t most_bytes,
                             const std::function<Status()>& check_cancelled) {
    StepsWriter writer(replay, pictures);
    const auto steps = static_cast<std::uint32_t>(replay.schedule().steps.size());
    for (std::uint32_t step = 0; step <= steps; ++step) {
        TRY(check_cancelled());
        writer.add(step);
        if (writer.bytes() > most_bytes)
            return failed("the block makes " + counted(steps, "request", "requests") +
                          ", too many for one page; choose smaller sizes, such as a smaller --k");
    }
    return writer.take();
}

}  // namespace tilereel
