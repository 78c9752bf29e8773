#include "app/panels/patterns/pattern_glide.h"

namespace tilereel {
namespace {

// Whether the same lanes want the same elements, and only the rows lie differently.
bool only_moved(PatternQuestion from, const PatternQuestion& to) {
    if (from.space != Space::kShared || from == to ||
        with_swizzle(from.expression, {}) != with_swizzle(to.expression, {}))
        return false;
    from.layout = to.layout;
    from.expression = to.expression;
    return from == to;
}

}  // namespace

void begin_pattern_glide(const PatternContext& lab) {
    PatternsMemory::Gliding& gliding = lab.memory.gliding;
    if (!lab.motion) {
        gliding.begun = -1e9;
        gliding.numbers.stop();
    }
    const PatternQuestion& asked = lab.lab.answered();
    if (gliding.asked != asked) {
        gliding.begun = -1e9;
        gliding.numbers.stop();
        if (lab.motion && gliding.asked && only_moved(*gliding.asked, asked)) {
            gliding.from = gliding.last;
            gliding.begun = lab.look.now_seconds;
            gliding.numbers.begin(lab.look);
        }
        gliding.asked = asked;
    }
    gliding.last.clear();
}

std::vector<std::uint32_t> counting_pattern_figures(const PatternContext& lab,
                                                    const std::vector<std::uint32_t>& figures) {
    return lab.memory.gliding.numbers.drawn(lab.look, figures);
}

bool pattern_glides(const PatternContext& lab) {
    return glide_share(lab.look, lab.memory.gliding.begun) < 1;
}

Rect gliding_pattern_cell(const PatternContext& lab, const GlidingWord& word, const Rect& place) {
    PatternsMemory::Gliding& gliding = lab.memory.gliding;
    Rect at = place;
    const float share = glide_share(lab.look, gliding.begun);
    if (const auto former = gliding.from.find(word); share < 1 && former != gliding.from.end()) {
        const Rect& from = former->second;
        at = {between(from.x, place.x, share), between(from.y, place.y, share),
              between(from.w, place.w, share), between(from.h, place.h, share)};
    }
    gliding.last.emplace(word, at);
    return at;
}

}  // namespace tilereel
