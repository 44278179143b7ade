import { createLabels } from './labels.ts'
import type { Labels } from './labels.ts'

/** Gives the labels of series in the order they stand in a file, checked. */
export interface LabelReader {
  /**
   * The labels of the next series of a metric.
   * @throws InvalidArgumentException (E_METRIC_LABEL) that says which label cannot be used.
   */
  next(metric: string, given: Readonly<Record<string, unknown>>): Labels
}

/**
 * Remembers the labels of files that are read again and again. They are nearly always the same in
 * the same order, from file to file too, and to compare them takes a fraction of what it takes to
 * check and write them anew. Equal labels at the same place become one object.
 */
export class LabelMemory {
  readonly #known = new Map<string, Labels[]>()

  /** Begins to read a file. */
  read(): LabelReader {
    const places = new Map<string, number>()
    return {
      next: (metric, given) => {
        const place = places.get(metric) ?? 0
        const labels = this.#labels(metric, place, given)
        places.set(metric, place + 1)
        return labels
      },
    }
  }

  #labels(metric: string, place: number, given: Readonly<Record<string, unknown>>): Labels {
    let list = this.#known.get(metric)
    if (list === undefined) this.#known.set(metric, (list = []))
    const before = list[place]
    if (before !== undefined && same(before, given)) return before
    const labels = createLabels(given)
    list[place] = labels
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
