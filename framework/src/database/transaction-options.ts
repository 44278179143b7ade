import { invalidArgument } from '../base/errors.ts'
import type { Surface, TransactionOptions } from './surface.ts'
import { caseChecker } from './sql/write/case-checker.ts'

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
  return isolation === undefined
    ? null
    : checkedIsolation(isolation).replace('-', ' ').toUpperCase()
}

/**
 * Refuses options that a nested transaction cannot have: it is a part of the outer one.
 * @throws InvalidArgumentException that names the option.
 */
export function refuseNestedOptions(options: TransactionOptions): void {
  const { isolation, readOnly = false, foreignKeys = true } = options
  const given = { isolation: isolation !== undefined, readOnly, foreignKeys: !foreignKeys }
  const [name] = Object.entries(given).find(([, isGiven]) => isGiven) ?? []
  if (name === undefined) return
  throw invalidArgument(
    `a nested transaction cannot set ${name}: it is a savepoint of the outer one; pass it to the outermost transaction()`,
  )
}

/** The options for a transaction that may be nested, where those of the outer one stand. */
export function unlessNested(
  { transactional }: Pick<Surface, 'transactional'>,
  options: TransactionOptions,
): TransactionOptions {
  if (!transactional) return options
  return options.retry === undefined ? {} : { retry: options.retry }
}
