/** How page mode determines the total. */
export const Counts = {
  /** One `COUNT(*)` over all selected rows. */
  Exact: 'exact',
  /** Counts up to a cap. */
  Capped: 'capped',
  /** The estimate of the query planner; an exact count on databases that give none. */
  Estimate: 'estimate',
  /** No count: one extra row is read instead, to know whether there are more. */
  None: 'none',
} as const
Object.freeze(Counts)
export type Counts = (typeof Counts)[keyof typeof Counts]
