// A cell that moves, or that is larger than its place in the grid.
flat in vec4 v_rect;
flat in vec4 v_style;
in vec2 v_pixel;
out vec4 o_color;

void main() {
    int look = int(v_style.x + 0.5);
    vec2 size = v_rect.zw;
    if (look == kConflictCurrent) size += 4.0 * u_scale;
    vec2 p = v_pixel - v_rect.xy - 0.5 * v_rect.zw;
    vec4 color = shade_cell(look, int(v_style.y + 0.5), 1.0, p, size, v_style.w);
    if (look == kInFlight) {
        float around = 1.5 * u_scale;
        float gap = clamp(0.5 - distance_to_box(p, 0.5 * size + around, v_style.w + around), 0.0, 1.0);
        color = vec4(mix(u_fixed[1].rgb, color.rgb, color.a), gap);
    }
    o_color = vec4(color.rgb, color.a * v_style.z);
}
