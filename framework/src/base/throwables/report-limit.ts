import { InvalidArgumentException } from '../errors.ts'
import { className } from '../reports/class-name.ts'
import { loadFrames } from './late-modules.ts'

/** How many throwables of one class from one line are reported in a window. */
export interface ReportLimit {
  readonly most: number
  /** Seconds. */
  readonly window: number
}

interface Window {
  readonly endMs: number
  reported: number
  suppressed: number
}

/** More places than this are not remembered; the one whose window began first is forgotten. */
const maxPlaces = 1_000

/** @throws InvalidArgumentException for a limit that would let nothing or everything through. */
export function checkLimit(limit: ReportLimit | null): ReportLimit | null {
  if (limit === null) return null
  const { most, window } = limit
  if (Number.isSafeInteger(most) && most > 0 && Number.isFinite(window) && window > 0) return limit
  throw new InvalidArgumentException(
    'E_INVALID_ARGUMENT',
    'a limit of reports needs `most`, a whole number above zero, and `window`, seconds above zero; ' +
      `got most ${most} and window ${window}`,
  )
}

/** Counts the reports of each place in the code and holds them to a limit. */
export class ReportCounts {
  readonly #nowMs: () => number
  readonly #windows = new Map<string, Window>()
  /** How many throwables were not reported. */
  suppressed = 0

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs
  }

  /**
   * Null when the throwable is one too many in its window, else how many were held back in the
   * last window of its place.
   */
  admit(error: Error, limit: ReportLimit): number | null {
    const place = placeOf(error)
    const window = this.#windows.get(place)
    if (window === undefined || window.endMs <= this.#nowMs()) {
      this.#open(place, limit)
      return window?.suppressed ?? 0
    }
    if (window.reported < limit.most) {
      window.reported += 1
      return 0
    }
    window.suppressed += 1
    this.suppressed += 1
    return null
  }

  #open(place: string, { window }: ReportLimit): void {
    // Taken out first, so that the order of the map is the order in which windows began.
    this.#windows.delete(place)
    const [oldest] = this.#windows.keys()
    if (this.#windows.size >= maxPlaces && oldest !== undefined) this.#windows.delete(oldest)
    this.#windows.set(place, { endMs: this.#nowMs() + window * 1000, reported: 1, suppressed: 0 })
  }
}

function placeOf(error: Error): string {
  const point = loadFrames().throwPoint(error)
  return `${className(error)} ${point?.file ?? ''}:${point?.line ?? 0}`
}
