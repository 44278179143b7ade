/**
 * The quantile of the observations, interpolated inside its bucket; null if there are none. Above the
 * last finite bound it is that bound, since more is not known.
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
    // Workers are read at slightly different times, so a count may seem to fall.
    below = Math.max(below, count)
  }
  return from
}
