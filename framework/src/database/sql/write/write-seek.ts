import { InvalidArgumentException } from '../../../base/errors.ts'
import type { ColumnReference } from '../plan/column-reference.ts'
import type { Dialect } from '../dialects/dialect.ts'
import type { Draft } from './draft.ts'
import { Orders } from '../plan/operators.ts'
import type { SeekPosition } from '../plan/select-plan.ts'

/** One column of a position, its value, and the comparison for rows after it. */
interface SeekStep {
  readonly column: ColumnReference
  readonly value: unknown
  readonly sign: '>' | '<'
}

/** Rows that equal a position in some columns and are beyond it in the columns after those. */
export interface SeekBranch {
  readonly equal: readonly SeekStep[]
  readonly beyond: readonly SeekStep[]
}

/**
 * Splits the rows after a position into branches that an index can search one by one, nearest
 * first.
 * @throws InvalidArgumentException (E_CURSOR) without exactly one value for each ordering.
 */
export function seekBranches(seek: SeekPosition, dialect: Dialect): readonly SeekBranch[] {
  const steps = stepsOf(seek)
  const branches: SeekBranch[] = []
  let from = 0
  for (const [at, { sign }] of steps.entries()) {
    if (dialect.seeksByRows && steps[at + 1]?.sign === sign) continue
    branches.unshift({ equal: steps.slice(0, from), beyond: steps.slice(from, at + 1) })
    from = at + 1
  }
  return branches
}

/** One branch of a seek. */
export function writeBranch({ equal, beyond }: SeekBranch, draft: Draft): string {
  let sql = ''
  for (const step of equal) sql += `${compared(step, '=', draft)} AND `
  return sql + writeBeyond(beyond, draft)
}

/**
 * The rows after a position as one condition.
 * @throws InvalidArgumentException (E_CURSOR) without exactly one value for each ordering.
 */
export function writeSeek(seek: SeekPosition, draft: Draft): string {
  const steps = stepsOf(seek)
  const [first] = steps
  if (first === undefined) throw invalidPosition('its order has no columns')
  const isUniform = steps.every(({ sign }) => sign === first.sign)
  const { splitsAlternatives } = draft.dialect
  if (steps.length === 1 || (isUniform && !splitsAlternatives)) return writeBeyond(steps, draft)
  // A planner that splits the chain into ranges is slower with an additional bound.
  if (splitsAlternatives) return writeChain(steps, draft)
  // The bound on the first column is redundant, but an index can start with it.
  return `${compared(first, `${first.sign}=`, draft)} AND ${writeChain(steps, draft)}`
}

function writeChain([first, ...rest]: readonly SeekStep[], draft: Draft): string {
  if (first === undefined) return ''
  const beyond = compared(first, first.sign, draft)
  if (rest.length === 0) return beyond
  return `(${beyond} OR (${compared(first, '=', draft)} AND ${writeChain(rest, draft)}))`
}

function writeBeyond(steps: readonly SeekStep[], draft: Draft): string {
  const [first] = steps
  if (first !== undefined && steps.length === 1) return compared(first, first.sign, draft)
  const names = steps.map(({ column }) => draft.ranked(column)).join(', ')
  const places = steps.map(({ column, value }) => draft.comparand(column, value))
  return `(${names}) ${first?.sign} (${places.join(', ')})`
}

function compared({ column, value }: SeekStep, operator: string, draft: Draft): string {
  const name = operator === '=' ? draft.name(column) : draft.ranked(column)
  return `${name} ${operator} ${draft.comparand(column, value)}`
}

function stepsOf({ orderings, values }: SeekPosition): readonly SeekStep[] {
  if (values.length !== orderings.length)
    throw invalidPosition('it needs one value for each column')
  return orderings.map(({ column, order }, at) => {
    const value = values[at]
    if (value === null || value === undefined) throw invalidPosition(`${column.name} has no value`)
    return { column, value, sign: order === Orders.Desc ? '<' : '>' }
  })
}

function invalidPosition(reason: string): InvalidArgumentException {
  return new InvalidArgumentException('E_CURSOR', `the position of a seek is invalid: ${reason}`)
}
