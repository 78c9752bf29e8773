// Checks the palette: the contrast of text by WCAG 2.1, "relative luminance", and that the role
// colours differ under full protanopia, deuteranopia and tritanopia (Machado, Oliveira and
// Fernandes 2009, severity 1.0) by CIEDE2000 (Sharma, Wu and Dalal 2005).
#include "app/ui/theme.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>

namespace tilereel::theme_test {
namespace {

using Vec3 = std::array<double, 3>;
using Matrix3 = std::array<Vec3, 3>;

Vec3 times(const Matrix3& m, const Vec3& v) {
    Vec3 r{};
    for (std::size_t i = 0; i < 3; ++i) r[i] = m[i][0] * v[0] + m[i][1] * v[1] + m[i][2] * v[2];
    return r;
}

Vec3 linear(ImU32 color) {
    Vec3 rgb{};
    for (std::size_t i = 0; i < 3; ++i) {
        const double c = static_cast<double>((color >> (8 * i)) & 0xff) / 255;
        rgb[i] = c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
    }
    return rgb;
}

double contrast(ImU32 a, ImU32 b) {
    const auto luminance = [](ImU32 color) {
        const Vec3 v = linear(color);
        return 0.2126 * v[0] + 0.7152 * v[1] + 0.0722 * v[2];
    };
    const double la = luminance(a), lb = luminance(b);
    return (std::max(la, lb) + 0.05) / (std::min(la, lb) + 0.05);
}

Vec3 lab(const Vec3& rgb) {  // from linear sRGB, D65
    constexpr Matrix3 kToXyz = {{{0.4124564, 0.3575761, 0.1804375},
                                 {0.2126729, 0.7151522, 0.0721750},
                                 {0.0193339, 0.1191920, 0.9503041}}};
    constexpr Vec3 kWhite = {0.95047, 1.0, 1.08883};
    const Vec3 xyz = times(kToXyz, rgb);
    Vec3 f{};
    for (std::size_t i = 0; i < 3; ++i) {
        const double t = std::max(xyz[i], 0.0) / kWhite[i];
        f[i] = t > 216.0 / 24389 ? std::cbrt(t) : (24389.0 / 27 * t + 16) / 116;
    }
    return {116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])};
}

double ciede2000(const Vec3& p, const Vec3& q) {
    constexpr double kDegree = std::numbers::pi / 180;
    const double c_mean = (std::hypot(p[1], p[2]) + std::hypot(q[1], q[2])) / 2;
    const auto seventh = [](double c) {
        return std::sqrt(std::pow(c, 7) / (std::pow(c, 7) + std::pow(25.0, 7)));
    };
    const double g = 0.5 * (1 - seventh(c_mean));
    const double a1 = (1 + g) * p[1], a2 = (1 + g) * q[1];
    const double c1 = std::hypot(a1, p[2]), c2 = std::hypot(a2, q[2]);
    const auto hue = [](double b, double a) {
        const double h = a == 0 && b == 0 ? 0 : std::atan2(b, a) / kDegree;
        return h < 0 ? h + 360 : h;
    };
    const double h1 = hue(p[2], a1), h2 = hue(q[2], a2);
    double dh = h2 - h1;
    if (c1 * c2 == 0) dh = 0;
    if (dh > 180) dh -= 360;
    if (dh < -180) dh += 360;
    double h_mean = h1 + h2;
    if (c1 * c2 != 0) {
        if (std::abs(h1 - h2) > 180) h_mean += h_mean < 360 ? 360 : -360;
        h_mean /= 2;
    }
    const double l_mean = (p[0] + q[0]) / 2, c_bar = (c1 + c2) / 2;
    const double t =
        1 - 0.17 * std::cos((h_mean - 30) * kDegree) + 0.24 * std::cos(2 * h_mean * kDegree) +
        0.32 * std::cos((3 * h_mean + 6) * kDegree) - 0.20 * std::cos((4 * h_mean - 63) * kDegree);
    const double sl =
        1 + 0.015 * std::pow(l_mean - 50, 2) / std::sqrt(20 + std::pow(l_mean - 50, 2));
    const double sc = 1 + 0.045 * c_bar, sh = 1 + 0.015 * c_bar * t;
    const double turn = 30 * std::exp(-std::pow((h_mean - 275) / 25, 2));
    const double rt = -std::sin(2 * turn * kDegree) * 2 * seventh(c_bar);
    const double l = (q[0] - p[0]) / sl, c = (c2 - c1) / sc;
    const double h = 2 * std::sqrt(c1 * c2) * std::sin(dh / 2 * kDegree) / sh;
    return std::sqrt(l * l + c * c + h * h + rt * c * h);
}

TEST(Ciede2000, ReproducesPublishedPairs) {  // Sharma, Wu and Dalal 2005, table 1
    EXPECT_NEAR(ciede2000({50, 2.6772, -79.7751}, {50, 0, -82.7485}), 2.0425, 1e-4);
    EXPECT_NEAR(ciede2000({50, 2.4900, -0.0010}, {50, -2.4900, 0.0009}), 7.1792, 1e-4);
    EXPECT_NEAR(ciede2000({60.2574, -34.0099, 36.2677}, {60.4626, -34.1751, 39.4387}), 1.2644,
                1e-4);
}

class EachTheme : public testing::TestWithParam<Theme> {};
INSTANTIATE_TEST_SUITE_P(Palette, EachTheme, testing::Values(Theme::kDark, Theme::kLight));

TEST_P(EachTheme, TextIsReadableOnPanels) {
    const Palette& p = palette(GetParam());
    EXPECT_GE(contrast(p.ink, p.panel), 16.0);
    EXPECT_GE(contrast(p.ink3, p.panel), 5.65);  // 5.7, rounded
    for (const ColorRole role :
         {ColorRole::kA, ColorRole::kB, ColorRole::kC, ColorRole::kConflict, ColorRole::kAccent})
        EXPECT_GE(contrast(p.solid(role), p.panel), 4.7) << static_cast<int>(role);
    EXPECT_GE(contrast(p.wait_text, p.panel), 4.5);
}

TEST_P(EachTheme, TextIsReadableOnFills) {
    const Palette& p = palette(GetParam());
    for (const ColorRole role :
         {ColorRole::kA, ColorRole::kB, ColorRole::kC, ColorRole::kConflict, ColorRole::kAccent}) {
        EXPECT_GE(contrast(p.on, p.solid(role)), 4.5) << static_cast<int>(role);
        EXPECT_GE(contrast(p.ink, p.tint(role)), 7.0) << static_cast<int>(role);
    }
    EXPECT_GE(contrast(p.wait_ink, p.wait), 7.0);
}

constexpr Matrix3 kProtanopia = {{{0.152286, 1.052583, -0.204868},
                                  {0.114503, 0.786281, 0.099216},
                                  {-0.003882, -0.048116, 1.051998}}};
constexpr Matrix3 kDeuteranopia = {{{0.367322, 0.860646, -0.227968},
                                    {0.280085, 0.672501, 0.047413},
                                    {-0.011820, 0.042940, 0.968881}}};
constexpr Matrix3 kTritanopia = {{{1.255528, -0.076749, -0.178779},
                                  {-0.078411, 0.930809, 0.147602},
                                  {0.004733, 0.691367, 0.303900}}};

TEST_P(EachTheme, RolesDifferForTheColourBlind) {
    const Palette& p = palette(GetParam());
    const std::array<ImU32, 6> roles = {p.a, p.b, p.c, p.wait, p.conflict, p.accent};
    for (const Matrix3& eye : {kProtanopia, kDeuteranopia, kTritanopia})
        for (std::size_t i = 0; i < roles.size(); ++i)
            for (std::size_t j = i + 1; j < roles.size(); ++j)
                EXPECT_GE(
                    ciede2000(lab(times(eye, linear(roles[i]))), lab(times(eye, linear(roles[j])))),
                    14.95)
                    << i << " and " << j;
}

// The steps of a heat map go one way in lightness (L*), which every eye sees: from an idle cell to
// the strongest step each differs from the one before by 7 at least. Counts on them can be read.
TEST_P(EachTheme, HeatStepsDifferInLightnessForEveryEye) {
    constexpr Matrix3 kUsual = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    const Palette& p = palette(GetParam());
    const double direction = GetParam() == Theme::kDark ? 1 : -1;
    for (const ColorRole role : {ColorRole::kA, ColorRole::kB, ColorRole::kC, ColorRole::kNone})
        for (const Matrix3& eye : {kUsual, kProtanopia, kDeuteranopia, kTritanopia}) {
            double before = lab(times(eye, linear(p.cell)))[0];
            for (std::size_t step = 0; step < kMostHeatSteps; ++step) {
                const ImU32 color = heat_color(p, role, heat_share(step, kMostHeatSteps));
                const double light = lab(times(eye, linear(color)))[0];
                EXPECT_GE(direction * (light - before), 7.0)
                    << "role " << static_cast<int>(role) << ", step " << step;
                EXPECT_GE(contrast(text_on(p, color), color), 4.3)
                    << "role " << static_cast<int>(role) << ", step " << step;
                before = light;
            }
        }
    EXPECT_EQ(heat_color(p, ColorRole::kA, heat_share(0, 1)), p.a);
}

TEST_P(EachTheme, TintsAreTheRoleMixedIntoThePanel) {
    const Palette& p = palette(GetParam());
    const bool dark = GetParam() == Theme::kDark;
    for (const ColorRole role : {ColorRole::kA, ColorRole::kB, ColorRole::kC, ColorRole::kConflict,
                                 ColorRole::kAccent, ColorRole::kWait}) {
        const float share =
            role == ColorRole::kAccent ? (dark ? 0.20f : 0.12f) : (dark ? 0.27f : 0.17f);
        const ImU32 mixed = mix(p.panel, p.solid(role), share);
        for (int shift = 0; shift < 24; shift += 8)
            EXPECT_NEAR(static_cast<int>((p.tint(role) >> shift) & 0xff),
                        static_cast<int>((mixed >> shift) & 0xff), 2)
                << static_cast<int>(role);
    }
}

TEST(Mix, InterpolatesBetweenTwoColors) {
    EXPECT_EQ(mix(IM_COL32(10, 20, 30, 255), IM_COL32(110, 220, 130, 255), 0.0f),
              IM_COL32(10, 20, 30, 255));
    EXPECT_EQ(mix(IM_COL32(10, 20, 30, 255), IM_COL32(110, 220, 130, 255), 0.5f),
              IM_COL32(60, 120, 80, 255));
    EXPECT_EQ(mix(IM_COL32(10, 20, 30, 255), IM_COL32(110, 220, 130, 255), 1.0f),
              IM_COL32(110, 220, 130, 255));
}

}  // namespace
}  // namespace tilereel::theme_test
