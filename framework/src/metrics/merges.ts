import { invalidArgument } from '../base/errors.ts'
import { quote } from './quote.ts'

/** How the values of one series are combined when snapshots of several processes are merged. */
export const Merges = { Sum: 'sum', Max: 'max', Min: 'min', Last: 'last' } as const
Object.freeze(Merges)
export type Merges = (typeof Merges)[keyof typeof Merges]

/** Whether a value is one of `Merges`. */
export function isMerge(value: unknown): value is Merges {
  return Object.values(Merges).some((merge) => merge === value)
}

/**
 * Returns its argument.
 * @throws InvalidArgumentException when it is not one of `Merges`.
 */
export function checkMerge(merge: Merges): Merges {
  if (isMerge(merge)) return merge
  const known = Object.values(Merges).join(', ')
  throw invalidArgument(`merge must be one of ${known}; got ${quote(merge)}`)
}
