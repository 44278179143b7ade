import { Origins } from './frames.ts'
import type { Frame } from './frames.ts'

/** The nearest frame outside Node's own code, else the nearest inside it; null when none has a line. */
export function nearestLocation(frames: readonly Frame[]): Frame | null {
  const located = frames.filter(({ line }) => line > 0)
  return located.find(({ origin }) => origin !== Origins.Node) ?? located[0] ?? null
}
