import { caseChecker } from './sql/write/case-checker.ts'
import type { TransactionOptions } from './surface.ts'

const words = {
  'read-committed': 'READ COMMITTED',
  'repeatable-read': 'REPEATABLE READ',
  serializable: 'SERIALIZABLE',
} as const

const checkedIsolation = caseChecker('isolation', {
  ReadCommitted: 'read-committed',
  RepeatableRead: 'repeatable-read',
  Serializable: 'serializable',
})

/**
 * The isolation level of a transaction in SQL; null for the default of the database.
 * @throws InvalidArgumentException for an unknown level.
 */
export function isolationLevel({ isolation }: TransactionOptions): string | null {
  return isolation === undefined ? null : words[checkedIsolation(isolation)]
}
