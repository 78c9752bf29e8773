// Finds the cell under the pixel and shades it. A cell's edges are rounded to whole pixels, so that
// the picture stays sharp at any pitch.
uniform usampler2D u_cells;  // one texel a cell: look, role, level, dim
uniform vec2 u_at;           // the grid's top left corner, pixels
uniform vec2 u_pitch;
uniform float u_gap;  // whole pixels
uniform float u_radius;
uniform ivec2 u_count;  // columns, rows
in vec2 v_pixel;
out vec4 o_color;

void main() {
    vec2 pixel = floor(v_pixel);
    vec2 index = floor((pixel + 0.5 - u_at) / u_pitch);
    vec2 first = floor(u_at + index * u_pitch + 0.5);
    vec2 last = floor(u_at + (index + 1.0) * u_pitch + 0.5);
    // The rounding may put the pixel into the cell before or after.
    vec2 move = step(last, pixel) - step(pixel + 0.5, first);
    index += move;
    if (move != vec2(0.0)) {
        first = floor(u_at + index * u_pitch + 0.5);
        last = floor(u_at + (index + 1.0) * u_pitch + 0.5);
    }
    ivec2 texel = ivec2(index);
    if (any(lessThan(texel, ivec2(0))) || any(greaterThanEqual(texel, u_count))) discard;
    uvec4 cell = texelFetch(u_cells, texel, 0);
    int look = int(cell.r);
    float before = floor(0.5 * u_gap);
    vec2 size = last - first - u_gap;
    vec2 p = pixel + 0.5 - (first + before) - 0.5 * size;
    vec4 color = shade_cell(look, int(cell.g), float(cell.b) / 255.0, p, size, u_radius);
    // A cell in flight covers its gap with the colour of the panel.
    if (look == kInFlight) color = vec4(mix(u_fixed[1].rgb, color.rgb, color.a), 1.0);
    o_color = vec4(color.rgb, color.a * (1.0 - float(cell.a) / 255.0));
}
