/**
 * The value that `share` of the observations do not exceed, interpolated inside its bucket; null
 * when there are none. Beyond the last finite bound it is that bound: more is not known.
 */
export function quantile(buckets: ReadonlyMap<string, number>, share: number): number | null {
  const counts = [...buckets]
    .map(([bound, count]) => ({ bound: bound === '+Inf' ? Infinity : Number(bound), count }))
    .filter(({ bound }) => !Number.isNaN(bound))
    .sort((one, other) => one.bound - other.bound)
  const total = counts.at(-1)?.count ?? 0
  if (total <= 0) return null
  const rank = share * total
  let from = 0
  let below = 0
  for (const { bound, count } of counts) {
    if (bound === Infinity) return from
    if (count >= rank && count > below) {
      return from + ((bound - from) * (rank - below)) / (count - below)
    }
    from = bound
    // The parts of a fleet are read at slightly different times: a count may seem to fall.
    below = Math.max(below, count)
  }
  return from
}
