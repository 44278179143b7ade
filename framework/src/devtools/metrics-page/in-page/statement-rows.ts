import { formatValue } from './format-value.ts'
import type { RankedRow } from './ranking.ts'
import { isFiniteNumber, isRecord } from './sample.ts'
import { exactNumber } from './series-rows.ts'

/** The rows for the JSON of /metrics/statements; null if it is something else. */
export function statementRows(document: unknown): RankedRow[] | null {
  const list: unknown = isRecord(document) ? document['statements'] : null
  return Array.isArray(list) ? list.flatMap(statementRow) : null
}

/** An array with the row, or an empty one. The second text is the caller, below the statement. */
export function statementRow(given: unknown): RankedRow[] {
  if (!isRecord(given)) return []
  const { statement, count, total, max, caller } = given
  if (!isFiniteNumber(count) || !isFiniteNumber(total) || !isFiniteNumber(max)) return []
  const text = String(statement)
  const mean = count > 0 ? total / count : null
  return [
    {
      texts: [
        text,
        typeof caller === 'string' ? caller : '',
        exactNumber(count),
        formatValue(mean, 'seconds'),
        formatValue(max, 'seconds'),
      ],
      keys: [text, count, mean, max],
    },
  ]
}
