import type { BucketCounts, Exemplar, Exemplars } from '../metric.ts'

const traceIdForm = /^[0-9a-f]{32}$/
const spanIdForm = /^[0-9a-f]{16}$/

/** Exemplars as a member of a series in a snapshot document; empty without any. */
export function exemplarsText(exemplars: Exemplars | undefined): string {
  if (exemplars === undefined) return ''
  const lists = Object.entries(exemplars).map(
    ([bound, { value, timestamp, traceId, spanId }]) =>
      `["${bound}",${value},${timestamp},"${traceId}","${spanId}"]`,
  )
  return `,"exemplars":[${lists.join(',')}]`
}

/** The valid exemplars of a decoded document that belong to one of the buckets; null without any. */
export function readExemplars(given: unknown, buckets: BucketCounts): Exemplars | null {
  if (!Array.isArray(given)) return null
  const exemplars: Record<string, Exemplar> = {}
  for (const list of given) {
    const [bound, value, timestamp, traceId, spanId] = Array.isArray(list) ? list : []
    if (typeof bound !== 'string' || !Object.hasOwn(buckets, bound)) continue
    if (!isFiniteNumber(value) || !isFiniteNumber(timestamp)) continue
    if (!isId(traceId, traceIdForm) || !isId(spanId, spanIdForm)) continue
    exemplars[bound] = { value, timestamp, traceId, spanId }
  }
  return Object.keys(exemplars).length === 0 ? null : exemplars
}

function isFiniteNumber(value: unknown): value is number {
  return Number.isFinite(value)
}

function isId(value: unknown, form: RegExp): value is string {
  return typeof value === 'string' && form.test(value)
}
