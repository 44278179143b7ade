import type { Result } from '../operation.ts'

/** What the driver answered as a result. A procedure that selects several times has its first rows. */
export function toResult(answer: unknown): Result {
  if (isRows(answer)) return { rows: answer, affected: answer.length }
  if (!Array.isArray(answer)) return { rows: [], affected: affectedRows(answer) }
  return toResult(answer.find(isRows) ?? answer.at(-1))
}

// The driver hangs the columns on every list of rows, and on nothing else.
function isRows(answer: unknown): answer is readonly unknown[] {
  return Array.isArray(answer) && 'meta' in answer
}

function affectedRows(answer: unknown): number {
  const { affectedRows: affected } = Object(answer)
  return typeof affected === 'number' ? affected : 0
}
