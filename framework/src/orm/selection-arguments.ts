import { invalidArgument, InvalidArgumentException } from '../base/errors.ts'
import { isRecord } from '../base/is-record.ts'
import { Matches, Nulls, Operators, Orders } from '../database/sql/plan/operators.ts'
import type { Ordering, SeekPosition, SelectPlan } from '../database/sql/plan/select-plan.ts'
import { Statement } from '../database/sql/plan/statement.ts'
import { caseChecker } from '../database/sql/write/case-checker.ts'
import type { AnyEntity, EntityColumn } from './entity/entity.ts'

// Arguments may come from a request, or from code without types. All of these functions throw
// InvalidArgumentException for what they do not know, rather than take it for something else.

const signs: ReadonlyMap<unknown, Operators> = new Map([
  ['=', Operators.Equal],
  ['!=', Operators.Unequal],
  ['>', Operators.Greater],
  ['>=', Operators.GreaterOrEqual],
  ['<', Operators.Less],
  ['<=', Operators.LessOrEqual],
])

const operatorChecker = caseChecker('the operator of a filter', Operators)

/** An operator, also by its sign. */
export function checkedOperator(value: unknown): Operators {
  return signs.get(value) ?? operatorChecker(value)
}

export const checkedMatch: (value: unknown) => Matches = caseChecker('the kind of a match', Matches)
export const checkedOrder: (value: unknown) => Orders = caseChecker(
  'the direction of an order',
  Orders,
)
const nullsChecker = caseChecker('the position of NULL in an order', Nulls)
export const checkedLock: (value: unknown) => 'update' | 'share' = caseChecker('a lock', {
  Update: 'update',
  Share: 'share',
})

/** The position of NULL; null if none is given. */
export function checkedNulls(nulls: unknown): Nulls | null {
  return nulls === undefined ? null : nullsChecker(nulls)
}

/** Refuses a value for an operator that takes none: it would be ignored. */
export function refuseValue(operator: Operators, value: unknown): void {
  if (value === undefined || !valueless.has(operator)) return
  throw invalidArgument(`the operator '${operator}' takes no value, got ${kindOf(value)}`)
}

const valueless: ReadonlySet<Operators> = new Set([
  Operators.IsNull,
  Operators.IsNotNull,
  Operators.IsTrue,
  Operators.IsFalse,
])

/** Options of a lock: what it does about rows that others have locked. @default wait for them */
export type LockOptions =
  | {
      /** Leave them out. */
      readonly skipLocked?: boolean
      readonly noWait?: false
    }
  | {
      /** Fail with E_DATABASE_BUSY at once, instead of waiting. */
      readonly noWait?: boolean
      readonly skipLocked?: false
    }

/** What a lock does about rows that others have locked. */
export function checkedLockOptions(options: unknown): NonNullable<SelectPlan['locked']> | null {
  const { skipLocked, noWait } = knownOptions('lock', options, ['skipLocked', 'noWait'])
  for (const value of [skipLocked, noWait]) {
    if (value === undefined || typeof value === 'boolean') continue
    throw invalidArgument(`lock: skipLocked and noWait are true or false, got ${kindOf(value)}`)
  }
  if (skipLocked === true && noWait === true) {
    throw invalidArgument('lock: skipLocked and noWait exclude each other; choose one')
  }
  return skipLocked === true ? 'skip' : noWait === true ? 'fail' : null
}

/** The options of a call by name. */
export function knownOptions(
  call: string,
  options: unknown,
  known: readonly string[],
): Readonly<Record<string, unknown>> {
  if (!isRecord(options)) {
    throw invalidArgument(`${call}: its options must be an object, got ${kindOf(options)}`)
  }
  const unknown = Object.keys(options).find((name) => !known.includes(name))
  if (unknown === undefined) return options
  throw invalidArgument(
    `${call} has no option ${JSON.stringify(unknown)}; it has ${known.join(', ')}`,
  )
}

/** Custom SQL of a condition. A text would be SQL that anyone may have written. */
export function checkedStatement(statement: unknown): Statement {
  if (statement instanceof Statement) return statement
  throw invalidArgument(`where takes a statement, as in where(sql\`…\`), got ${kindOf(statement)}`)
}

/** A function that narrows a selection. */
export function checkedScope(what: string, scope: unknown): (selection: unknown) => unknown {
  if (isFunction(scope)) return scope
  throw invalidArgument(`${what} must be a function that narrows a selection, got ${kindOf(scope)}`)
}

function isFunction(value: unknown): value is (selection: unknown) => unknown {
  return typeof value === 'function'
}

/** A number of rows. */
export function wholeRows(name: string, rows: unknown): number {
  if (typeof rows === 'number' && Number.isSafeInteger(rows) && rows >= 0) return rows
  const got = typeof rows === 'number' ? String(rows) : kindOf(rows)
  throw invalidArgument(`${name} must be a whole number, at least 0, got ${got}`)
}

/** A relation, and `true` or what narrows it. */
export type Choice = readonly [name: string, choice: unknown]

/** Relations by name, or in an object with a choice for each. */
export function choicesIn(call: string, given: readonly unknown[]): readonly Choice[] {
  return given.flatMap((part): readonly Choice[] => {
    if (typeof part === 'string') return [[part, true]]
    if (typeof part !== 'object' || part === null || Array.isArray(part)) {
      throw invalidArgument(
        `${call} takes names of relations, or an object with a choice for each, got ${kindOf(part)}`,
      )
    }
    return Object.entries(part).map(([name, choice]: Choice) => {
      if (choice === true || typeof choice === 'function') return [name, choice]
      throw invalidArgument(
        `${call}: ${name} must be true or a function that narrows its selection, got ${kindOf(choice)}`,
      )
    })
  })
}

/** A text column. Decimals are text only in TypeScript, so the types do not rule them out. */
export function checkedText({ table }: AnyEntity, column: EntityColumn): EntityColumn {
  if (column.kind === 'text') return column
  throw new InvalidArgumentException(
    'E_COLUMN',
    `match needs a text column, but ${table}.${column.property} is ${column.kind}`,
  )
}

/** One column of a seek, by its SQL name, and its direction. */
export interface SeekOrder {
  readonly column: string
  readonly order: Orders
}

/** A position from pairs of an order and a value. */
export function checkedSeek(
  { table, columns }: AnyEntity,
  orders: readonly SeekOrder[],
  values: readonly unknown[],
): SeekPosition {
  if (orders.length === 0 || orders.length !== values.length) {
    throw new InvalidArgumentException(
      'E_CURSOR',
      `a seek needs one value for each order, got ${values.length} values for ${orders.length} orders`,
    )
  }
  const orderings = orders.map(({ column, order }): Ordering => {
    const found = columns.find(({ name }) => name === column)
    if (found !== undefined) return { column: found, order: checkedOrder(order), nulls: null }
    throw new InvalidArgumentException(
      'E_COLUMN',
      `seek: ${table} has no SQL column ${JSON.stringify(column)}`,
    )
  })
  return { orderings, values }
}

/** The kind of a value, for messages. */
export function kindOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'a list' : typeof value
}
