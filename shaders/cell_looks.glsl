// One cell of a look, shared by the grid and by moving cells. Looks are CellLook of app/ui/cells/cell_grid.h.
// With FEW_LOOKS only the most frequent ones: a software renderer computes all of them for each
// pixel.
uniform vec4 u_solid[7];  // by ColorRole
uniform vec4 u_tint[7];
uniform vec4 u_fixed[4];  // cell, panel, ink, ink3
uniform float u_scale;    // of line widths

const int kNothing = 0, kIdle = 1, kNeverWritten = 2, kStale = 3, kValid = 4, kBeingCopied = 5,
          kCopied = 6, kInFlight = 7, kOff = 8, kConflictCurrent = 9, kConflictWaiting = 10,
          kBand = 11, kPartial = 12, kSolid = 13, kPartialBar = 14, kNotLoaded = 15,
          kStaleNotLoaded = 16;
const int kConflictRole = 5;

// Signed distance in pixels to a rounded box around the origin, negative inside.
float distance_to_box(vec2 p, vec2 half_size, float radius) {
    vec2 q = abs(p) - half_size + radius;
    return min(max(q.x, q.y), 0.0) + length(max(q, 0.0)) - radius;
}

// 1 on a dash, 0 in a gap: whole periods of about 7 px on each side, 4 px of each drawn.
float dash(vec2 p, vec2 half_size) {
    vec2 from_edge = half_size - abs(p);
    bool horizontal = from_edge.y < from_edge.x;
    float along = horizontal ? p.x + half_size.x : p.y + half_size.y;
    float side = 2.0 * (horizontal ? half_size.x : half_size.y);
    float period = side / max(1.0, floor(side / (7.0 * u_scale) + 0.5));
    float from_middle = abs(fract(along / period) - 0.5) * period;
    return clamp(0.285 * period - from_middle + 0.5, 0.0, 1.0);
}

// Lines of 1 px at 45 degrees, 4 px apart, through the cell's centre.
float hatch(vec2 p) {
    float period = 4.0 * u_scale;
    float across = (p.x + p.y) * 0.70710678;
    float from_line = abs(fract(across / period + 0.5) - 0.5) * period;
    return clamp(0.5 + 0.5 * u_scale - from_line, 0.0, 1.0);
}

// Stripes as broad as the gaps between them, at right angles to the hatch. The cell's centre lies in
// a gap.
float stripes(vec2 p, float small) {
    float period = clamp(0.34 * small, 6.0 * u_scale, 14.0 * u_scale);
    float across = (p.x - p.y) * 0.70710678;
    float from_middle = abs(fract(across / period) - 0.5) * period;
    return clamp(0.25 * period - from_middle + 0.5, 0.0, 1.0);
}

vec4 outlined(vec4 fill, vec4 border, float inside, float from_edge, float width) {
    float on_border = clamp(0.5 + width - from_edge, 0.0, 1.0);
    return vec4(mix(fill.rgb, border.rgb, on_border), inside);
}

// `p`: pixels from the cell's centre, y down. `size`: the cell without its gap.
vec4 shade_cell(int look, int role, float level, vec2 p, vec2 size, float radius) {
    vec2 half_size = 0.5 * size;
    float small = min(size.x, size.y);
    float from_edge = -distance_to_box(p, half_size, min(radius, 0.25 * small));
    float inside = clamp(0.5 + from_edge, 0.0, 1.0);
    if (look == kIdle) return vec4(u_fixed[0].rgb, inside);
    if (look == kBand) return vec4(u_tint[role].rgb, inside);
    if (look == kSolid || look == kInFlight) return vec4(u_solid[role].rgb, inside);

    float border = min(1.5 * u_scale, 0.2 * small);
    float dashed = min(1.25 * u_scale, 0.2 * small);
    vec4 tint = u_tint[role];
    vec4 solid = u_solid[role];
    if (look == kValid) return outlined(tint, solid, inside, from_edge, border);
#ifndef FEW_LOOKS
    if (look == kNeverWritten) {
        float dot_radius = small < 7.0 ? 0.0 : 1.25 * u_scale;
        float on_dot = clamp(0.5 + dot_radius - length(p), 0.0, 1.0) * step(0.1, dot_radius);
        return vec4(mix(u_fixed[0].rgb, u_fixed[3].rgb, on_dot), inside);
    }
    if (look == kNotLoaded) {
        vec4 fill = vec4(mix(u_fixed[0].rgb, tint.rgb, stripes(p, small)), 1.0);
        return outlined(fill, solid, inside, from_edge, border);
    }
    if (look == kStaleNotLoaded) {
        float on_border = clamp(0.5 + dashed - from_edge, 0.0, 1.0) * dash(p, half_size);
        return vec4(mix(u_fixed[0].rgb, u_fixed[3].rgb, on_border),
                    inside * max(on_border, stripes(p, small)));
    }
    if (look == kStale || look == kBeingCopied) {
        vec4 color = look == kStale ? u_fixed[3] : solid;
        float on_border = clamp(0.5 + dashed - from_edge, 0.0, 1.0);
        return vec4(color.rgb, inside * on_border * dash(p, half_size));
    }
    if (look == kCopied) {
        vec2 from_corner = half_size - p;
        float beyond = (from_corner.x + from_corner.y - 0.36 * small) * 0.70710678;
        return vec4(mix(tint.rgb, solid.rgb, clamp(0.5 - beyond, 0.0, 1.0)), inside);
    }
    if (look == kOff) return vec4(u_fixed[3].rgb, inside * hatch(p));
    if (look == kConflictCurrent)
        return outlined(u_solid[kConflictRole], u_fixed[2], inside, from_edge, 2.0 * u_scale);
    if (look == kConflictWaiting)
        return outlined(u_tint[kConflictRole], u_solid[kConflictRole], inside, from_edge, border);
    if (look == kPartial) {
        float filled = clamp(level * size.y - (half_size.y - p.y) + 0.5, 0.0, 1.0);
        return vec4(mix(tint.rgb, solid.rgb, 0.62 * filled), inside);
    }
    if (look == kPartialBar) {
        float thick = min(3.0 * u_scale, 0.25 * size.y);
        float below = half_size.y - p.y - u_scale;  // from the bar's lower edge upwards
        float right = level * (size.x - 2.0 * u_scale) - (p.x + half_size.x - u_scale);
        float left = p.x + half_size.x - u_scale;
        float on_bar = clamp(min(below, thick - below) + 0.5, 0.0, 1.0) *
                       clamp(min(left, right) + 0.5, 0.0, 1.0) * step(0.002, level);
        return vec4(mix(tint.rgb, solid.rgb, on_bar), inside);
    }
#endif
    return vec4(0.0);
}
