#include "app/replay/sentence/sentence.h"

namespace tilereel {

std::string plain_text(const Sentence& sentence) {
    std::string text;
    for (const Span& span : sentence) text += span.text;
    return text;
}

}  // namespace tilereel
