let shift = 0

/** Epoch seconds: the clock of everything in the framework that is given no other. */
export function epochSeconds(): number {
  return Date.now() / 1000 + shift
}

/** The same clock in whole milliseconds. */
export function epochMs(): number {
  return Date.now() + Math.round(shift * 1000)
}

/** Moves the clock of this process; for tests only, through `travel` of a project server. */
export function shiftClock(seconds: number): void {
  shift += seconds
}

const otherClocks = new Set<{ readonly label: string }>()

/** Notes a server whose own clock decides what has ended there. Returns a function that takes it back. */
export function noteOtherClock(label: string): () => void {
  const other = { label }
  otherClocks.add(other)
  return () => void otherClocks.delete(other)
}

/** A server that does not follow this clock; null if there is none. */
export function findOtherClock(): string | null {
  const [other] = otherClocks
  return other?.label ?? null
}
