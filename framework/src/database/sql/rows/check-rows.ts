import type {
  SchemaIssue,
  SchemaResult,
  StandardSchema,
} from '../../../base/schema/standard-schema.ts'
import { RowError } from './row-error.ts'

/**
 * The values that a schema makes of rows, one after the other.
 * @throws RowError for the first row that does not fit; its message names the places, not the values.
 */
export async function checkRows(
  rows: readonly unknown[],
  { '~standard': standard }: StandardSchema,
): Promise<readonly unknown[]> {
  const checked: unknown[] = []
  for (const [index, row] of rows.entries()) {
    const result = standard.validate(row)
    // Most schemas are synchronous, and a list may be long.
    checked.push(valueOf(result instanceof Promise ? await result : result, index))
  }
  return checked
}

function valueOf(result: SchemaResult<unknown>, index: number): unknown {
  if (result.issues === undefined) return result.value
  const places = [...new Set(result.issues.map(placeOf))].filter((place) => place !== '')
  const where = places.length === 0 ? '' : ` at ${places.slice(0, 5).join(', ')}`
  throw new RowError(
    `row ${index + 1} does not fit the schema of check()${where}; error.issues says why`,
    result.issues,
  )
}

function placeOf({ path = [] }: SchemaIssue): string {
  return path.map((part) => String(typeof part === 'object' ? part.key : part)).join('.')
}
