#pragma once
// Composes the step sentence. The words about the request itself are in sentence_access.cpp and
// sentence_any.cpp.
#include <span>

#include "app/replay/sentence/sentence.h"
#include "app/replay/sentence/sentence_facts.h"
#include "app/replay/sentence/wording.h"
#include "instrumentation/trace/launch_names.h"

namespace tilereel {

// `array_tones`: by ArrayId.
[[nodiscard]] Sentence sentence_of(const StepFacts& facts, const Trace& trace,
                                   std::span<const Tone> array_tones);

class SentenceWriter {
  public:
    SentenceWriter(const StepFacts& facts, const Trace& trace, std::span<const Tone> tones)
        : facts_(facts), trace_(trace), tones_(tones) {}

    Sentence write();

  private:
    void add(Tone tone, std::string text) {
        if (!sentence_.empty() && sentence_.back().tone == tone)
            sentence_.back().text += text;
        else
            sentence_.push_back({tone, std::move(text)});
    }
    template <class... Parts>
    void plain(const Parts&... parts) {
        add(Tone::kPlain, joined({parts...}));
    }
    void strong(std::string text) { add(Tone::kStrong, std::move(text)); }
    void array_name(ArrayId array, const std::string& suffix = {}) {
        add(tones_[array], trace_.arrays[array].name + suffix);
    }
    // "As[1]" if the access is in one plane of a multi-buffered array.
    void touched_array() {
        const Array& array = trace_.arrays[facts_.array];
        add(tones_[facts_.array],
            facts_.in_one_plane ? plane_name(array, facts_.plane) : array.name);
    }
    [[nodiscard]] bool on_shared() const {
        return facts_.verb == Verb::kReads || facts_.verb == Verb::kStores;
    }
    [[nodiscard]] std::string lanes() const {
        return facts_.box ? counted(facts_.lanes, "piece", "pieces")
                          : counted(facts_.lanes, "lane", "lanes");
    }
    [[nodiscard]] std::string all_lanes() const {
        if (facts_.lanes == 1) return "its one active lane";
        return facts_.lanes == 2 ? "both lanes" : joined({"all ", lanes()});
    }
    [[nodiscard]] std::string wavefronts(std::uint32_t count) const {
        return counted(count, "wavefront", "wavefronts");
    }
    [[nodiscard]] std::uint32_t words_asked() const {
        return facts_.lanes * std::max(facts_.width_bytes / 4, 1u);
    }
    // "one word", "32 different words"
    [[nodiscard]] std::string different_words() const {
        return facts_.words == 1 ? "one word"
                                 : joined({with_commas(facts_.words), " different words"});
    }
    [[nodiscard]] bool conflicted() const { return facts_.wavefronts > facts_.ideal_wavefronts; }
    // "32 lanes", "32 lanes of 16 bytes"
    [[nodiscard]] std::string lanes_with_width() const {
        if (facts_.width_bytes == 4) return lanes();
        return joined({lanes(), " of ", counted(facts_.width_bytes, "byte", "bytes")});
    }
    // With as many coordinates as the grid has dimensions.
    [[nodiscard]] std::string block_name() const {
        return tilereel::block_name(trace_.launch.grid, facts_.block);
    }

    void write_nothing();
    void write_end();
    void write_waiting();
    [[nodiscard]] std::string stored_share() const;
    void write_tiles();
    void write_verb();
    // The accessed elements, ending with the array's name: "rows 4 to 7 of Bs", "As[0][5]".
    void write_place();
    void write_element();
    void write_global();
    void write_copy();
    // Of tensor cores: sentence_matrices.cpp.
    void write_matrices();
    void write_products();
    void write_product_read();
    // For programs that are not products: sentence_any.cpp.
    void write_place_in_one_extent();
    void write_atomic();
    void write_fetch();
    void write_unused();
    void write_global_briefly();
    void write_shared();
    // "32 different words of bank 5", "16 different words, 8 of them in bank 5"
    void write_conflicting_words();
    void write_conflict();
    // Wide accesses: "four quarter-warps, one wavefront each"
    [[nodiscard]] std::string groups() const;
    void write_wide();
    void write_shared_briefly();
    // "; 28 lanes skip line 12"
    void write_off_lanes();
    // "; lanes 1 and 3 store 0: beyond the edge of A"
    void write_unloaded();

    const StepFacts& facts_;
    const Trace& trace_;
    std::span<const Tone> tones_;
    Sentence sentence_;
};

}  // namespace tilereel
