// One quad over the whole grid.
uniform vec4 u_display;  // Dear ImGui's display: x, y, width, height
uniform vec4 u_bounds;   // of the grid, whole pixels: left, top, right, bottom
out vec2 v_pixel;

void main() {
    vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1);
    v_pixel = mix(u_bounds.xy, u_bounds.zw, corner);
    vec2 unit = (v_pixel - u_display.xy) / u_display.zw;
    gl_Position = vec4(unit.x * 2.0 - 1.0, 1.0 - unit.y * 2.0, 0.0, 1.0);
}
