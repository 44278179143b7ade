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
