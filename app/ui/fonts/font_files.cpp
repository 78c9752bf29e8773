#include "app/ui/fonts/font_files.h"

#include <fontconfig/fontconfig.h>

#include <array>
#include <cstring>
#include <memory>
#include <optional>

namespace tilereel {
namespace {

using Config = std::unique_ptr<FcConfig, decltype(&FcConfigDestroy)>;
using Pattern = std::unique_ptr<FcPattern, decltype(&FcPatternDestroy)>;

FcConfig* installed_fonts() {
    static const Config config(FcInitLoadConfigAndFonts(), &FcConfigDestroy);
    return config.get();
}

// By Face.
constexpr std::array<int, 5> kWeights = {FC_WEIGHT_REGULAR, FC_WEIGHT_SEMIBOLD, FC_WEIGHT_BOLD,
                                         FC_WEIGHT_REGULAR, FC_WEIGHT_BOLD};

const char* text_of(const FcPattern* pattern, const char* property, int at) {
    FcChar8* text = nullptr;
    if (FcPatternGetString(pattern, property, at, &text) != FcResultMatch) return nullptr;
    return reinterpret_cast<const char*>(text);
}

bool is_of_family(const FcPattern* pattern, const char* family) {
    for (int at = 0; const char* name = text_of(pattern, FC_FAMILY, at); ++at)
        if (std::strcmp(name, family) == 0) return true;
    return false;
}

// The file of the installed font that is nearest to the family and weight. nullopt if that font is
// variable, or if `this_family_only` is set and the font is of another family.
std::optional<std::string> nearest_file(const char* family, int weight, bool this_family_only) {
    const Pattern wanted(FcPatternCreate(), &FcPatternDestroy);
    FcPatternAddString(wanted.get(), FC_FAMILY, reinterpret_cast<const FcChar8*>(family));
    FcPatternAddInteger(wanted.get(), FC_WEIGHT, weight);
    FcPatternAddBool(wanted.get(), FC_VARIABLE, FcFalse);
    FcPatternAddBool(wanted.get(), FC_OUTLINE, FcTrue);
    FcConfigSubstitute(installed_fonts(), wanted.get(), FcMatchPattern);
    FcDefaultSubstitute(wanted.get());
    FcResult result = FcResultNoMatch;
    const Pattern found(FcFontMatch(installed_fonts(), wanted.get(), &result), &FcPatternDestroy);
    if (!found || (this_family_only && !is_of_family(found.get(), family))) return std::nullopt;
    FcBool variable = FcFalse;
    FcPatternGetBool(found.get(), FC_VARIABLE, 0, &variable);
    const char* const file = text_of(found.get(), FC_FILE, 0);
    if (variable != FcFalse || file == nullptr) return std::nullopt;
    return file;
}

}  // namespace

std::vector<std::string> files_of(Face face) {
    std::vector<std::string> files;
    if (installed_fonts() == nullptr) return files;
    const bool mono = face == Face::kMono || face == Face::kMonoBold;
    const std::array<const char*, 3> families =
        mono ? std::array{"JetBrains Mono", "DejaVu Sans Mono", "monospace"}
             : std::array{"Inter", "DejaVu Sans", "sans-serif"};
    for (const char* const family : families) {
        const bool any_family = family == families.back();
        if (auto file = nearest_file(family, kWeights[static_cast<std::size_t>(face)], !any_family))
            files.push_back(*std::move(file));
    }
    return files;
}

}  // namespace tilereel
