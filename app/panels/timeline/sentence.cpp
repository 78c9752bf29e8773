// The step sentence, on one line or two; never cut.
#include <algorithm>
#include <cmath>

#include "app/panels/measure.h"
#include "app/panels/panels.h"
#include "app/ui/widgets.h"
#include "app/workbench/wrong_product.h"

namespace tilereel {
namespace {

struct Word {
    Tone tone = Tone::kPlain;
    std::string_view text;
    bool space_before = false;
};

Face face_of(Tone tone) { return tone == Tone::kPlain ? Face::kRegular : Face::kBold; }

ImU32 color_of(const Palette& colors, Tone tone) {
    switch (tone) {
        case Tone::kStrong:
            return colors.ink;
        case Tone::kA:
            return colors.a;
        case Tone::kB:
            return colors.b;
        case Tone::kC:
            return colors.c;
        case Tone::kConflict:
            return colors.conflict;
        case Tone::kWait:
            return colors.wait_text;
        case Tone::kAccent:
            return colors.accent;
        default:
            return colors.ink2;
    }
}

std::vector<Word> words_of(const Sentence& sentence) {
    std::vector<Word> words;
    bool space = false;
    for (const Span& span : sentence) {
        const std::string_view text = span.text;
        for (std::size_t at = 0; at < text.size();) {
            if (text[at] == ' ') {
                space = true;
                ++at;
                continue;
            }
            const std::size_t end = std::min(text.find(' ', at), text.size());
            words.push_back({span.tone, text.substr(at, end - at), space});
            space = false;
            at = end;
        }
    }
    return words;
}

// The words of one line: [first, last). A word and the punctuation after it (a word of another tone
// without a space before it) stay on the same line.
struct SentenceLine {
    std::size_t first = 0, last = 0;
};
std::vector<SentenceLine> break_lines(const std::vector<Word>& words, float width, float px) {
    std::vector<SentenceLine> lines;
    const float space = text_width(" ", Face::kRegular, px);
    float x = 0;
    for (std::size_t i = 0; i < words.size();) {
        std::size_t end = i + 1;
        float chunk = text_width(words[i].text, face_of(words[i].tone), px);
        for (; end < words.size() && !words[end].space_before; ++end)
            chunk += text_width(words[end].text, face_of(words[end].tone), px);
        const float lead = lines.empty() || x == 0 ? 0 : space;
        if (lines.empty() || x + lead + chunk > width) {
            lines.push_back({i, end});
            x = chunk;
        } else {
            lines.back().last = end;
            x += lead + chunk;
        }
        i = end;
    }
    return lines;
}

void draw_line(const Look& look, const std::vector<Word>& words, const SentenceLine& line,
               ImVec2 at, float px) {
    const float space = text_width(" ", Face::kRegular, px);
    float x = at.x;
    for (std::size_t i = line.first; i < line.last; ++i) {
        if (i > line.first && words[i].space_before) x += space;
        x += draw_text({x, at.y}, words[i].text,
                       {face_of(words[i].tone), px, color_of(look.colors(), words[i].tone)});
    }
}

Sentence sentence_of(const Workbench& workbench) {
    if (const Replay* replay = workbench.replay()) {
        Sentence sentence = replay->sentence();
        if (const Recording* recording = workbench.recording())
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
    draw_list()->AddRectFilled(rect.min(), {rect.x + look.px(6), rect.bottom()},
                               look.colors().accent, look.px(3));
    register_widget("sentence", rect);

    const std::vector<Word> words = words_of(sentence);
    const float left = rect.x + look.margin(), width = rect.right() - look.pad() - left;
    // One line with a font of up to 22 units, or the largest font at which two lines fit.
    constexpr float kLeading = 1.25f;
    float px = std::floor(std::min(type_px(look, 22), rect.h * 0.44f));
    constexpr float kOneLineShare = 0.85f;  // the font may shrink this much to avoid a second line
    std::vector<SentenceLine> lines = break_lines(words, width, px);
    for (float less = px - 1; lines.size() > 1 && less >= kOneLineShare * px; less -= 1)
        if (break_lines(words, width, less).size() == 1) {
            px = less;
            lines = break_lines(words, width, px);
        }
    const auto fits = [&] {
        return lines.size() <= 1 || (lines.size() == 2 && 2 * kLeading * px <= rect.h - 2);
    };
    while (!fits() && px > look.px(9)) {
        px -= 1;
        lines = break_lines(words, width, px);
    }
    const float step = kLeading * px;
    float y = rect.center().y - step * static_cast<float>(lines.size() - 1) / 2;
    for (const SentenceLine& line : lines) {
        draw_line(look, words, line, {left, y}, px);
        y += step;
    }
}

Commands draw_sentence(const Look& look, const Rect& rect, const Workbench& workbench,
                       PanelMemory& /*memory*/) {
    draw_sentence_text(look, rect, sentence_of(workbench));
    return {};
}

}  // namespace tilereel
