/** The outline of a tone's mark around a point: each tone has its own shape. */
export function markPath(tone: number, x: number, y: number, radius: number): string {
  const shapes = [
    // a bar, for ended workers
    [-0.9, -0.3, 0.9, -0.3, 0.9, 0.3, -0.9, 0.3],
    // nearly a circle
    [
      -0.4, -0.95, 0.4, -0.95, 0.95, -0.4, 0.95, 0.4, 0.4, 0.95, -0.4, 0.95, -0.95, 0.4, -0.95,
      -0.4,
    ],
    // a square
    [-0.85, -0.85, 0.85, -0.85, 0.85, 0.85, -0.85, 0.85],
    // a triangle
    [0, -1.1, 1.1, 0.85, -1.1, 0.85],
    // a diamond
    [0, -1.25, 1.25, 0, 0, 1.25, -1.25, 0],
    // a triangle pointing down
    [0, 1.1, 1.1, -0.85, -1.1, -0.85],
    // a plus
    [
      -0.4, -1.2, 0.4, -1.2, 0.4, -0.4, 1.2, -0.4, 1.2, 0.4, 0.4, 0.4, 0.4, 1.2, -0.4, 1.2, -0.4,
      0.4, -1.2, 0.4, -1.2, -0.4, -0.4, -0.4,
    ],
    // an hourglass
    [-1, -1.1, 1, -1.1, 0.3, 0, 1, 1.1, -1, 1.1, -0.3, 0],
    // a cross
    [
      0, -0.5, 0.75, -1.25, 1.25, -0.75, 0.5, 0, 1.25, 0.75, 0.75, 1.25, 0, 0.5, -0.75, 1.25, -1.25,
      0.75, -0.5, 0, -1.25, -0.75, -0.75, -1.25,
    ],
  ]
  const places = (shapes[tone] ?? shapes[1] ?? []).map((place, at) =>
    ((at % 2 === 0 ? x : y) + place * radius).toFixed(1),
  )
  return 'M' + places.join(' ') + 'Z'
}
