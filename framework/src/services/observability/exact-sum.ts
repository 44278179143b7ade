/**
 * A sum without rounding: doubles whose bits do not overlap, the smallest first, that add up to it
 * exactly (Shewchuk, "Adaptive Precision Floating-Point Arithmetic", 1997).
 */
export type SumParts = readonly number[]

/**
 * The exact sums behind series whose number is the rounded one; a series that is not in here is
 * exact itself. Beside the series, not in them: what was merged looks like what was read.
 */
const partsBySeries = new WeakMap<object, SumParts>()

/** The exact sum behind a series whose number is a rounded one; null when it is exact itself. */
export function keptParts(series: object): SumParts | null {
  return partsBySeries.get(series) ?? null
}

/** The series, with the exact sum behind its number. */
export function keepParts<Series extends object>(series: Series, parts: SumParts): Series {
  if (parts.length > 1) partsBySeries.set(series, parts)
  return series
}

/**
 * The exact sum of the numbers of two series; null when adding them up needs no rounding, as it is
 * with everything that counts by ones.
 */
export function sumParts(
  one: object,
  oneNumber: number,
  other: object,
  otherNumber: number,
): SumParts | null {
  const [kept, otherKept] = [keptParts(one), keptParts(other)]
  if (kept === null && otherKept === null && lost(oneNumber, otherNumber) === 0) return null
  return addParts(kept ?? [oneNumber], otherKept ?? [otherNumber])
}

/**
 * The sum of two exact sums. It does not depend on the order or the grouping in which numbers are
 * added, unless it grows beyond what a double can hold.
 */
export function addParts(sum: SumParts, other: SumParts): SumParts {
  let parts = sum
  for (const part of other) parts = grow(parts, part)
  return parts
}

/**
 * The double nearest to the sum, the even one of two that are equally near. It never falls when the
 * sum rises.
 */
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
  // Half way between two doubles the parts below decide which one is nearer.
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
    const rest = lost(sum, part)
    if (rest !== 0) grown.push(rest)
    sum += part
  }
  // Beyond the largest double there is nothing to keep apart.
  if (!Number.isFinite(sum)) return [sum]
  if (sum !== 0 || grown.length === 0) grown.push(sum)
  return grown
}

/** What rounding takes off the sum of two numbers (Knuth). */
function lost(a: number, b: number): number {
  const sum = a + b
  const second = sum - a
  return a - (sum - second) + (b - second)
}
