#include "app/replay/schedule/lifetimes.h"

namespace tilereel {
namespace {

// The distinct words that a load reads, computed once for each pattern: there are many loads, and
// most are broadcasts.
class DistinctWords {
  public:
    explicit DistinctWords(const Trace& trace) : trace_(trace), of_(trace.patterns.size()) {}

    // Byte offsets from the record's base.
    const std::vector<std::uint32_t>& operator()(std::uint64_t record, std::uint32_t words) {
        const std::uint32_t pattern = trace_.records.pattern[record];
        if (of_[pattern].words == words) return of_[pattern].offsets;
        std::vector<std::uint32_t>& offsets = of_[pattern].offsets;
        of_[pattern].words = words;
        offsets.clear();
        for_each_word(
            expand(trace_.patterns[pattern], 0, trace_.irregular_offsets), words,
            [&](std::uint32_t, std::uint32_t, std::uint32_t offset) { offsets.push_back(offset); });
        std::ranges::sort(offsets);
        offsets.erase(std::ranges::unique(offsets).begin(), offsets.end());
        return offsets;
    }

  private:
    struct Words {
        std::uint32_t words = 0;  // of one lane's access, for which the offsets were computed
        std::vector<std::uint32_t> offsets;
    };
    const Trace& trace_;
    std::vector<Words> of_;  // per pattern
};

class LifetimeFinder {
  public:
    LifetimeFinder(const Trace& trace, const Schedule& schedule)
        : trace_(trace),
          schedule_(schedule),
          distinct_words_(trace),
          holds_(shared_words_of(trace), kNever) {}

    Lifetimes run() {
        for (std::uint32_t index = 0; index < schedule_.steps.size(); ++index) {
            const Step& step = schedule_.steps[index];
            const Site& site = trace_.sites[step.site];
            if (trace_.arrays[site.array].space != Space::kShared) continue;
            if (reads(site.operation)) load_words(step, site, index);
            if (writes(site.operation))
                for_each_word(lane_offsets(trace_, step.record), words_of(site),
                              [&](std::uint32_t, std::uint32_t, std::uint32_t offset) {
                                  store_word(offset / 4, index);
                              });
        }
        finish();
        return std::move(result_);
    }

  private:
    void store_word(std::uint32_t address, std::uint32_t step) {
        const auto word = static_cast<std::uint32_t>(result_.words.size());
        result_.words.push_back({.phase = schedule_.steps[step].phase});
        last_use_.push_back(step);
        if (address >= holds_.size()) return;
        if (holds_[address] != kNever) result_.words[holds_[address]].replaced = step;
        holds_[address] = word;
    }

    void load_words(const Step& step, const Site& site, std::uint32_t index) {
        const std::uint32_t base = trace_.records.base[step.record];
        for (const std::uint32_t offset : distinct_words_(step.record, words_of(site)))
            if (const std::uint32_t address = (base + offset) / 4; address < holds_.size())
                load_word(holds_[address], index);
    }

    void load_word(std::uint32_t word, std::uint32_t step) {
        if (word == kNever) return;  // read before anybody wrote it
        StoredWord& read = result_.words[word];
        const std::uint32_t phase = schedule_.steps[step].phase;
        if (read.first_read == kNever || schedule_.steps[last_use_[word]].phase != phase)
            result_.readings.push_back({word, phase});
        if (read.first_read == kNever) read.first_read = step;
        last_use_[word] = step;
    }

    void finish() {
        // Per phase: the first step of any later one.
        std::vector<std::uint32_t> later(schedule_.phases, kNever);
        for (std::uint32_t index = static_cast<std::uint32_t>(schedule_.steps.size());
             index-- > 0;) {
            const std::uint32_t phase = schedule_.steps[index].phase;
            if (phase > 0) later[phase - 1] = index;
        }
        for (std::uint32_t phase = schedule_.phases; phase-- > 1;)
            later[phase - 1] = std::min(later[phase - 1], later[phase]);
        for (std::size_t word = 0; word < last_use_.size(); ++word) {
            const std::uint32_t last = last_use_[word];
            const std::uint32_t begun = later[schedule_.steps[last].phase];
            result_.words[word].stale_from = begun == kNever ? kNever : std::max(begun, last + 1);
        }
    }

    const Trace& trace_;
    const Schedule& schedule_;
    DistinctWords distinct_words_;
    Lifetimes result_;
    std::vector<std::uint32_t> last_use_;  // per stored word: the step
    std::vector<std::uint32_t> holds_;     // per word of shared memory: the stored word in it
};

}  // namespace

std::size_t shared_words_of(const Trace& trace) {
    std::size_t bytes = trace.launch.shared_bytes;
    for (const Array& array : trace.arrays)
        if (array.space == Space::kShared)
            bytes = std::max<std::size_t>(bytes, array.base_bytes + array.size_bytes());
    return (bytes + 3) / 4;
}

Lifetimes find_lifetimes(const Trace& trace, const Schedule& schedule) {
    return LifetimeFinder(trace, schedule).run();
}

}  // namespace tilereel
