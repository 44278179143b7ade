import { Origins } from './frames.ts'
import type { Frame } from './frames.ts'

/**
 * Where people look first: the nearest call in a file of somebody's, else in Node itself. Null when
 * no frame has a place.
 */
export function nearestPlace(frames: readonly Frame[]): Frame | null {
  const placed = frames.filter(({ line }) => line > 0)
  return placed.find(({ origin }) => origin !== Origins.Node) ?? placed[0] ?? null
}
