import type { Result, ResultDetails } from '../operation.ts'

/** The result of the driver. Of a procedure with several SELECTs, the first rows. */
export function toResult(answer: unknown, hasDetails = false): Result {
  const result = plainResult(answer)
  return hasDetails ? { ...result, details: detailsOf(answer) } : result
}

function plainResult(answer: unknown): Result {
  if (isRows(answer)) return { rows: answer, affected: answer.length }
  if (!Array.isArray(answer)) return { rows: [], affected: affectedRows(answer) }
  return plainResult(answer.find(isRows) ?? answer.at(-1))
}

// The driver adds the columns to every list of rows, and to nothing else.
function isRows(answer: unknown): answer is readonly unknown[] {
  return Array.isArray(answer) && 'meta' in answer
}

function affectedRows(answer: unknown): number {
  const { affectedRows: affected } = Object(answer)
  return typeof affected === 'number' ? affected : 0
}

function detailsOf(answer: unknown): ResultDetails {
  const lists: readonly unknown[] = Array.isArray(answer) ? answer : []
  const { meta, insertId } = Object(isRows(answer) ? answer : (lists.find(isRows) ?? answer))
  const columns: unknown[] = Array.isArray(meta) ? meta : []
  return {
    columns: columns.map((column) => String(Object(column).name())),
    // Zero when the statement generated none.
    insertId: typeof insertId === 'bigint' && insertId !== 0n ? insertId : null,
  }
}
