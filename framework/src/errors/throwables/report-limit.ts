import { invalidArgument } from '../../base/errors.ts'
import { lateModule } from '../../base/late-module.ts'
import { className } from '../reports/class-name.ts'
import type * as Frames from '../stack/frames.ts'

const loadFrames = lateModule<typeof Frames>(import.meta, '../stack/frames')

/** Limits the reports of errors of the same class thrown from the same line. */
export interface ReportLimit {
  /** Reports allowed in a window. */
  readonly max: number
  /** Length of the window in seconds. */
  readonly window: number
}

/** Maximum number of windows kept; the oldest is dropped first. */
const maxWindows = 1_000

/** @throws InvalidArgumentException for an invalid limit. */
export function checkLimit(limit: ReportLimit | null): ReportLimit | null {
  if (limit === null) return null
  const { max, window } = limit
  if (Number.isSafeInteger(max) && max > 0 && Number.isFinite(window) && window > 0) return limit
  throw invalidArgument(
    'a report limit needs `max`, an integer above 0, and `window`, a number of seconds above 0; ' +
      `got max ${max} and window ${window}`,
  )
}

/** Counts reports by class and line, and enforces the limit. */
export class ReportCounts {
  readonly #nowMs: () => number
  readonly #windows = new Map<
    string,
    { readonly endMs: number; reported: number; suppressed: number }
  >()
  /** Total number of throwables that were not reported. */
  suppressed = 0

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs
  }

  /**
   * Returns null if the report must be suppressed, else how many were suppressed in the preceding
   * window of the same class and line.
   */
  admit(error: Error, limit: ReportLimit): number | null {
    const key = keyOf(error)
    const window = this.#windows.get(key)
    if (window === undefined || window.endMs <= this.#nowMs()) {
      this.#open(key, limit)
      return window?.suppressed ?? 0
    }
    if (window.reported < limit.max) {
      window.reported += 1
      return 0
    }
    window.suppressed += 1
    this.suppressed += 1
    return null
  }

  #open(key: string, { window }: ReportLimit): void {
    // Deleted first, so that the map stays ordered by window start.
    this.#windows.delete(key)
    const [oldest] = this.#windows.keys()
    if (this.#windows.size >= maxWindows && oldest !== undefined) this.#windows.delete(oldest)
    this.#windows.set(key, { endMs: this.#nowMs() + window * 1000, reported: 1, suppressed: 0 })
  }
}

function keyOf(error: Error): string {
  const point = loadFrames().throwPoint(error)
  return `${className(error)} ${point?.file ?? ''}:${point?.line ?? 0}`
}
