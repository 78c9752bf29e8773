#include "app/ui/fonts/fonts.h"

#include <stb_truetype.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/ui/fonts/font_atlas.h"
#include "app/ui/fonts/font_files.h"
#include "instrumentation/base/check.h"

namespace tilereel {
namespace {

constexpr int kDefaultPx = 14;
constexpr int kLargestPx = 200;
constexpr int kFramesKept = 240;  // a size not drawn for so long is removed at a rebuild
constexpr std::size_t kRasterisedKept =
    256;  // above this, sizes outside of the atlas are forgotten

// The glyphs that the window uses: Latin 1, dashes, quotes, bullet, ellipsis, arrows, mathematical
// signs.
constexpr std::array<ImWchar, 21> kGlyphs = {0x0020, 0x007e, 0x00a0, 0x00ff, 0x2013, 0x2014, 0x2018,
                                             0x201d, 0x2022, 0x2022, 0x2026, 0x2026, 0x2190, 0x2193,
                                             0x2212, 0x2212, 0x2260, 0x2265, 0x2713, 0x2713, 0};
// Sizes from kLargeFromPx on have fewer.
constexpr std::array<ImWchar, 15> kLargeGlyphs = {0x0020, 0x007e, 0x00d7, 0x00d7, 0x00f7,
                                                  0x00f7, 0x2013, 0x2014, 0x2026, 0x2026,
                                                  0x2190, 0x2193, 0x2212, 0x2212, 0};
constexpr int kLargeFromPx = 30;

struct FaceFile {
    std::vector<unsigned char> bytes;
    // In ems. Dear ImGui sizes a font by its line height: ascent minus descent.
    float line_height = 1.0f, ascent = 0.8f, cap_height = 0.73f;
};

struct Size {
    ImFont* font = nullptr;  // nullptr: requested, but not yet in the atlas
    int last_frame = 0;
};

using Request = std::pair<Face, int>;

// Global, because the process has one Dear ImGui context with one atlas.
struct FontCache {
    std::array<std::optional<FaceFile>, 5> files;
    std::map<Request, Size> sizes;
    std::map<Request, RasterisedSize> rasterised;
    const ImFontAtlas* atlas = nullptr;
    int fonts_in_atlas = 0;
    bool needs_rebuild = true;
};
FontCache& font_cache() {
    static FontCache instance;
    return instance;
}

// Reads the first face of the file. nullopt if it cannot be read.
std::optional<FaceFile> read_face(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    FaceFile file;
    file.bytes.assign(std::istreambuf_iterator<char>(in), {});
    stbtt_fontinfo info;
    if (file.bytes.empty() || stbtt_InitFont(&info, file.bytes.data(), 0) == 0) return std::nullopt;
    const float em = stbtt_ScaleForMappingEmToPixels(&info, 1.0f);
    int ascent = 0, descent = 0, gap = 0, x0 = 0, y0 = 0, x1 = 0, y1 = 0;
    stbtt_GetFontVMetrics(&info, &ascent, &descent, &gap);
    file.ascent = em * static_cast<float>(ascent);
    file.line_height = em * static_cast<float>(ascent - descent);
    if (stbtt_GetCodepointBox(&info, 'H', &x0, &y0, &x1, &y1) != 0)
        file.cap_height = em * static_cast<float>(y1);
    return file;
}

FaceFile load_face(Face face) {
    for (const std::string& path : files_of(face))
        if (std::optional<FaceFile> file = read_face(path)) return *std::move(file);
    return {};  // no bytes: Dear ImGui's built-in font is used
}

const FaceFile& face_file(Face face) {
    std::optional<FaceFile>& slot = font_cache().files[static_cast<std::size_t>(face)];
    if (!slot) slot = load_face(face);
    return *slot;
}

int rounded_px(float px) {
    int whole = std::clamp(static_cast<int>(std::lround(px)), 6, kLargestPx);
    if (whole >= 48) return (whole + 2) / 4 * 4;
    if (whole >= 24) return (whole + 1) / 2 * 2;
    return whole;
}

// If Dear ImGui has a new context or atlas, all ImFont pointers are invalid.
void forget_if_atlas_changed(FontCache& s) {
    const ImFontAtlas* atlas = ImGui::GetIO().Fonts;
    if (s.atlas == atlas && s.fonts_in_atlas == atlas->Fonts.Size) return;
    for (auto& [request, size] : s.sizes) size.font = nullptr;
    s.atlas = atlas;
    s.fonts_in_atlas = atlas->Fonts.Size;
    s.needs_rebuild = true;
}

struct Found {
    ImFont* font = nullptr;
    int px = kDefaultPx;
};
Found find_font(Face face, int px) {
    FontCache& s = font_cache();
    forget_if_atlas_changed(s);
    Size& size = s.sizes[{face, px}];
    size.last_frame = ImGui::GetFrameCount();
    if (size.font != nullptr) return {size.font, px};
    s.needs_rebuild = true;
    Found nearest{ImGui::GetFont(), kDefaultPx};
    int distance = 1 << 20;
    for (const auto& [request, other] : s.sizes) {
        const int d = std::abs(request.second - px) + (request.first == face ? 0 : 1000);
        if (other.font != nullptr && d < distance) {
            distance = d;
            nearest = {other.font, request.second};
        }
    }
    return nearest;
}

ImFont* add_to_atlas(ImFontAtlas& atlas, Face face, int px) {
    const FaceFile& file = face_file(face);
    ImFontConfig config;
    config.SizePixels = std::round(static_cast<float>(px) * file.line_height * 64.0f) / 64.0f;
    config.OversampleH = px < kLargeFromPx ? 3 : 1;
    config.OversampleV = 1;
    if (file.bytes.empty()) return atlas.AddFontDefault(&config);
    config.FontDataOwnedByAtlas = false;
    // Dear ImGui takes a pointer to non-const but only reads the data.
    return atlas.AddFontFromMemoryTTF(
        const_cast<unsigned char*>(file.bytes.data()), static_cast<int>(file.bytes.size()),
        config.SizePixels, &config, px < kLargeFromPx ? kGlyphs.data() : kLargeGlyphs.data());
}

const RasterisedSize& rasterised_size(const Request& request) {
    const auto [place, is_new] = font_cache().rasterised.try_emplace(request);
    if (is_new)
        place->second = rasterise(
            [&](ImFontAtlas& atlas) { add_to_atlas(atlas, request.first, request.second); });
    return place->second;
}

}  // namespace

ImFont* font(Face face, float px) { return find_font(face, rounded_px(px)).font; }

PlacedFont placed_font(Face face, float px) {
    const Found found = find_font(face, rounded_px(px));
    const FaceFile& file = face_file(face);
    // Dear ImGui rounds the baseline of the font in the atlas up to a whole pixel.
    const float baked_baseline = std::ceil(file.ascent * static_cast<float>(found.px));
    return {found.font, px * file.line_height, baked_baseline * px / static_cast<float>(found.px),
            file.cap_height * px};
}

bool bake_requested_fonts() {
    FontCache& s = font_cache();
    forget_if_atlas_changed(s);
    if (!s.needs_rebuild) return false;
    ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
    const int now = ImGui::GetFrameCount();
    std::erase_if(s.sizes,
                  [now](const auto& size) { return now - size.second.last_frame > kFramesKept; });
    s.sizes[{Face::kRegular, kDefaultPx}].last_frame = now;
    atlas.Clear();
    atlas.Flags |= ImFontAtlasFlags_NoMouseCursors;
    std::vector<const RasterisedSize*> rasterised;
    for (auto& [request, size] : s.sizes) {
        size.font = add_to_atlas(atlas, request.first, request.second);
        check(size.font != nullptr);
        rasterised.push_back(&rasterised_size(request));
    }
    ImGui::GetIO().FontDefault = s.sizes[{Face::kRegular, kDefaultPx}].font;
    build_atlas(atlas, rasterised);
    if (s.rasterised.size() > kRasterisedKept)
        std::erase_if(s.rasterised,
                      [&s](const auto& each) { return !s.sizes.contains(each.first); });
    s.atlas = &atlas;
    s.fonts_in_atlas = atlas.Fonts.Size;
    s.needs_rebuild = false;
    return true;
}

bool fonts_wanted() { return font_cache().needs_rebuild; }

void forget_fonts() {
    font_cache().sizes.clear();
    font_cache().needs_rebuild = true;
}

}  // namespace tilereel
