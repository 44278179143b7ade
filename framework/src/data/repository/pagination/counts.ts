/** How page mode learns the total. */
export const Counts = {
  /** One `COUNT(*)` over every row selected. */
  Exact: 'exact',
  /** Counts no further than a cap. */
  Capped: 'capped',
  /** What the planner of the database expects; an exact count where it does not say. */
  Estimate: 'estimate',
  /** Nothing is counted: one row more than the page is read instead, to know whether there is more. */
  None: 'none',
} as const
Object.freeze(Counts)
export type Counts = (typeof Counts)[keyof typeof Counts]
