import { caseOf } from '../sql/write/case-of.ts'
import type { TransactionOptions } from './surface.ts'

const words = {
  'read-committed': 'READ COMMITTED',
  'repeatable-read': 'REPEATABLE READ',
  serializable: 'SERIALIZABLE',
} as const

const checkedIsolation = caseOf('isolation', {
  ReadCommitted: 'read-committed',
  RepeatableRead: 'repeatable-read',
  Serializable: 'serializable',
})

/**
 * The level of isolation that a transaction is to have, in the words of SQL; null for the database's own.
 * @throws InvalidArgumentException for one that is none.
 */
export function isolationLevel({ isolation }: TransactionOptions): string | null {
  return isolation === undefined ? null : words[checkedIsolation(isolation)]
}
