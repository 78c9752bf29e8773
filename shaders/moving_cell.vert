// Two triangles for each cell, larger than the cell, so that its outline fits. All six vertices have the cell's
// attributes. (A software renderer draws each instance by itself, which takes longer.)
layout(location = 0) in vec4 a_rect;   // left, top, width, height in pixels
layout(location = 1) in vec4 a_style;  // look, role, alpha, radius
uniform vec4 u_display;
uniform float u_scale;
flat out vec4 v_rect;
flat out vec4 v_style;
out vec2 v_pixel;

void main() {
    int vertex = gl_VertexID % 6;
    int at = vertex < 3 ? vertex : vertex == 3 ? 2 : vertex == 4 ? 1 : 3;
    vec2 corner = vec2(at & 1, at >> 1);
    float room = 3.0 * u_scale;
    v_pixel = a_rect.xy + corner * a_rect.zw + (2.0 * corner - 1.0) * room;
    v_rect = a_rect;
    v_style = a_style;
    vec2 unit = (v_pixel - u_display.xy) / u_display.zw;
    gl_Position = vec4(unit.x * 2.0 - 1.0, 1.0 - unit.y * 2.0, 0.0, 1.0);
}
