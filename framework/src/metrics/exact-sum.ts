/**
 * An exact sum as a list of non-overlapping doubles, smallest first (Shewchuk, "Adaptive Precision
 * Floating-Point Arithmetic", 1997).
 */
export type SumParts = readonly number[]

/**
 * Exact sums of series whose own number is rounded; other series are exact. Kept outside the series,
 * so that merged series look like all others.
 */
const partsBySeries = new WeakMap<object, SumParts>()

/** The exact sum of a series whose number is rounded; null when the number is exact. */
export function keptParts(series: object): SumParts | null {
  return partsBySeries.get(series) ?? null
}

/** Records the exact sum of a series and returns the series. */
export function keepParts<Series extends object>(series: Series, parts: SumParts): Series {
  if (parts.length > 1) partsBySeries.set(series, parts)
  return series
}

/**
 * The exact sum of the numbers of two series; null when adding them needs no rounding, as with
 * whole numbers.
 */
export function sumParts(
  one: object,
  oneNumber: number,
  other: object,
  otherNumber: number,
): SumParts | null {
  const [kept, otherKept] = [keptParts(one), keptParts(other)]
  if (kept === null && otherKept === null && roundingError(oneNumber, otherNumber) === 0) {
    return null
  }
  return addParts(kept ?? [oneNumber], otherKept ?? [otherNumber])
}

/**
 * The sum of two exact sums. The result does not depend on the order or grouping of the additions,
 * unless it exceeds the range of a double.
 */
export function addParts(sum: SumParts, other: SumParts): SumParts {
  let parts = sum
  for (const part of other) parts = grow(parts, part)
  return parts
}

/** The double nearest to the sum, ties to even. It never decreases when the sum increases. */
export function roundParts(parts: SumParts): number {
  let at = parts.length - 1
  let sum = parts[at] ?? 0
  let rest = 0
  while (at > 0 && rest === 0) {
    at -= 1
    const part = parts[at] ?? 0
    const rounded = sum + part
    rest = part - (rounded - sum)
    sum = rounded
  }
  // Halfway between two doubles, the smaller parts decide which one is nearer.
  const below = parts[at - 1] ?? 0
  if ((rest < 0 && below < 0) || (rest > 0 && below > 0)) {
    const moved = sum + rest * 2
    if (moved - sum === rest * 2) return moved
  }
  return sum
}

function grow(parts: SumParts, added: number): SumParts {
  const grown: number[] = []
  let sum = added
  for (const part of parts) {
    const rest = roundingError(sum, part)
    if (rest !== 0) grown.push(rest)
    sum += part
  }
  // The sum overflowed: there is no exact part left.
  if (!Number.isFinite(sum)) return [sum]
  if (sum !== 0 || grown.length === 0) grown.push(sum)
  return grown
}

/** The rounding error of the sum of two numbers (Knuth). */
function roundingError(a: number, b: number): number {
  const sum = a + b
  const second = sum - a
  return a - (sum - second) + (b - second)
}
