import { createLabels } from './labels.ts'
import type { Labels } from './labels.ts'

/** Validates the labels of the series of one file, in their order. */
export interface LabelReader {
  /**
   * The labels of the next series of a metric.
   * @throws InvalidArgumentException (E_METRIC_LABEL) that names the invalid label.
   */
  next(metric: string, given: Readonly<Record<string, unknown>>): Labels
}

/**
 * Caches the labels of files that are read repeatedly. They are nearly always the same and in the
 * same order, across files too, and comparing them is much cheaper than validating them again.
 * Equal labels at the same index share one object.
 */
export class LabelCache {
  readonly #known = new Map<string, Labels[]>()

  read(): LabelReader {
    const indexes = new Map<string, number>()
    return {
      next: (metric, given) => {
        const index = indexes.get(metric) ?? 0
        const labels = this.#labels(metric, index, given)
        indexes.set(metric, index + 1)
        return labels
      },
    }
  }

  #labels(metric: string, index: number, given: Readonly<Record<string, unknown>>): Labels {
    let list = this.#known.get(metric)
    if (list === undefined) this.#known.set(metric, (list = []))
    const before = list[index]
    if (before !== undefined && same(before, given)) return before
    const labels = createLabels(given)
    list[index] = labels
    return labels
  }
}

function same(labels: Labels, given: Readonly<Record<string, unknown>>): boolean {
  if (labels === given) return true
  const names = Object.keys(labels)
  if (names.length !== Object.keys(given).length) return false
  for (const name of names) if (labels[name] !== given[name]) return false
  return true
}
