/* raylib.h - as much of raylib as docs/engines.md uses.
 * SPDX-License-Identifier: MIT
 */
typedef struct Vector2 {
    float x, y;
} Vector2;
typedef struct Color {
    unsigned char r, g, b, a;
} Color;
void DrawCircleV(Vector2 center, float radius, Color color);
