let shift = 0

/** Epoch seconds: the clock of everything in the framework that is given no other. */
export function epochSeconds(): number {
  return Date.now() / 1000 + shift
}

/** Moves the clock of this process; for tests only, through `travel` of a project server. */
export function shiftClock(seconds: number): void {
  shift += seconds
}
