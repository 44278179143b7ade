import { isPlainRecord } from '../base/is-record.ts'
import { createLabels } from './labels.ts'
import type { Labels } from './labels.ts'

/** The labels of a series in a document; null if they are not valid. */
export type ReadLabels = (given: unknown) => Labels | null

/** Sets of labels that are remembered, more than big fleets have. */
const maxKnown = 50_000

/**
 * Reads the labels of files that are read repeatedly. They are nearly always the same, across files too,
 * and looking them up is much cheaper than validating them again. Equal labels share one object.
 */
export function labelCache(): ReadLabels {
  const known = new Map<string, Labels>()
  return (given) => {
    if (!isPlainRecord(given)) return null
    const key = JSON.stringify(given)
    const before = known.get(key)
    if (before !== undefined) return before
    try {
      const labels = createLabels(given)
      if (known.size >= maxKnown) known.clear()
      known.set(key, labels)
      return labels
    } catch {
      return null
    }
  }
}
