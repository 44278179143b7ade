import type { Result } from '../operation.ts'

/** The result of the driver. Of a procedure with several SELECTs, the first rows. */
export function toResult(answer: unknown): Result {
  if (isRows(answer)) return { rows: answer, affected: answer.length }
  if (!Array.isArray(answer)) return { rows: [], affected: affectedRows(answer) }
  return toResult(answer.find(isRows) ?? answer.at(-1))
}

// The driver adds the columns to every list of rows, and to nothing else.
function isRows(answer: unknown): answer is readonly unknown[] {
  return Array.isArray(answer) && 'meta' in answer
}

function affectedRows(answer: unknown): number {
  const { affectedRows: affected } = Object(answer)
  return typeof affected === 'number' ? affected : 0
}
