/** The middle value; the mean of the two middle ones when their number is even. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const upper = sorted[Math.floor(sorted.length / 2)] ?? NaN
  const lower = sorted[Math.ceil(sorted.length / 2) - 1] ?? NaN
  return (lower + upper) / 2
}

/** Where the median lies with at least 95 % confidence. */
export interface Interval {
  readonly low: number
  readonly high: number
  /** False below six values, where even their whole range holds the median less surely. */
  readonly trusted: boolean
}

/** The interval of a median from order statistics, which assumes nothing about the distribution. */
export function medianInterval(values: readonly number[]): Interval {
  const sorted = values.toSorted((a, b) => a - b)
  const skipped = tailLength(sorted.length)
  return {
    low: sorted[skipped] ?? NaN,
    high: sorted[sorted.length - 1 - skipped] ?? NaN,
    trusted: sorted.length >= 6,
  }
}

// How many values may be dropped on each side: the binomial tail must stay below 2.5 %. By logarithms,
// because the chance of the first value is too small for a number when there are a thousand.
function tailLength(count: number): number {
  let logarithm = count * Math.log(0.5)
  let tail = Math.exp(logarithm)
  let length = 0
  while (tail <= 0.025 && length < count / 2) {
    length++
    logarithm += Math.log((count - length + 1) / length)
    tail += Math.exp(logarithm)
  }
  return Math.max(0, length - 1)
}

/** A figure that was taken in every round. */
export interface Figure {
  readonly median: number
  readonly interval: Interval
}

/** The median of values with its interval. */
export function figureOf(values: readonly number[]): Figure {
  return { median: median(values), interval: medianInterval(values) }
}
