import { DatabaseError } from '../database-error.ts'

/** Catches the error of a row whose unique value another one has already; any other is thrown on. */
export function nullIfDuplicate(error: unknown): null {
  if (error instanceof DatabaseError && error.code === 'E_DUPLICATE_KEY') return null
  throw error
}
