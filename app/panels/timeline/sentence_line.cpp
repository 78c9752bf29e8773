// The step sentence, on one line or two; never cut.
#include <algorithm>
#include <array>
#include <cmath>

#include "app/panels/measure.h"
#include "app/panels/panels.h"
#include "app/panels/paragraph.h"
#include "app/ui/widgets/widgets.h"
#include "app/workbench/recording/wrong_product.h"

namespace tilereel {
namespace {

constexpr float kLeading = 1.25f;  // line height, as a multiple of the font size

// By Tone.
constexpr std::array<ImU32 Palette::*, 8> kColors = {
    &Palette::ink2, &Palette::ink,      &Palette::a,         &Palette::b,
    &Palette::c,    &Palette::conflict, &Palette::wait_text, &Palette::accent};

Sentence sentence_of(const Workbench& workbench) {
    if (const Replay* replay = workbench.replay()) {
        if (!workbench.saved_change().empty()) return workbench.saved_change();
        const FindingScene* const scene = workbench.finding_scene();
        Sentence sentence = scene != nullptr ? scene->sentence : replay->sentence();
        if (const Recording* recording = workbench.recording(); recording && scene == nullptr)
            sentence = with_wrong_elements(std::move(sentence), *replay, recording->wrong);
        const std::uint32_t removed = replay->trace().launch.removed_barrier;
        if (removed != 0)
            sentence.insert(
                sentence.begin(),
                {Tone::kWait, "Without line " + std::to_string(removed) + "'s barrier: "});
        return sentence;
    }
    return {{Tone::kPlain, "Recording the first replay."}};
}

}  // namespace

void draw_sentence_text(const Look& look, const Rect& rect, const Sentence& sentence) {
    fill_rect(rect, look.colors().panel, look.px(8));
    draw_list()->AddRectFilled(rect.min(), {rect.x + look.snug(), rect.bottom()},
                               look.colors().accent, look.px(3));
    register_widget("sentence", rect);

    std::vector<StyledText> pieces;
    for (const Span& span : sentence)
        pieces.push_back({span.text, span.tone == Tone::kPlain ? Face::kRegular : Face::kBold,
                          look.colors().*kColors[static_cast<std::size_t>(span.tone)]});
    const float left = rect.x + look.margin(), width = rect.right() - look.pad() - left;
    // The largest font, up to 22 units, at which the sentence fits.
    float px = std::floor(std::min(type_px(look, 22), rect.h * 0.44f));
    const auto lines = [&] { return StyledLines(pieces, width, px, kLeading); };
    while (lines().height() > rect.h - look.hair() && px > look.px(9)) px -= 1;
    lines().draw({left, rect.center().y - lines().height() / 2});
}

void draw_sentence(const Look& look, const Rect& rect, const Workbench& workbench) {
    draw_sentence_text(look, rect, sentence_of(workbench));
}

}  // namespace tilereel
