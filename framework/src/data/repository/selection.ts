import { InvalidArgumentException } from '../../base/errors.ts'
import { caseChecker } from '../sql/write/case-checker.ts'
import { compileCount } from '../sql/write/compile-count.ts'
import type { Condition } from '../sql/plan/condition.ts'
import { defaultDialect } from '../sql/dialects/default-dialect.ts'
import type { Dialect } from '../sql/dialects/dialect.ts'
import { Matches, Nulls, Operators, Orders } from '../sql/plan/operators.ts'
import type { Query } from '../sql/plan/query.ts'
import type { Ordering, SeekPosition, SelectPlan } from '../sql/plan/select-plan.ts'
import type { Statement } from '../sql/plan/statement.ts'
import type { AnyEntity, EntityColumn } from './entity/entity.ts'
import type { ColumnOf, RelationOf, RowOf, TextColumnOf } from './entity/row.ts'

const checkedOperator = caseChecker('the operator of a filter', Operators)
const checkedMatch = caseChecker('the kind of a match', Matches)
const checkedOrder = caseChecker('the direction of an order', Orders)
const checkedNulls = caseChecker('the position of NULL in an order', Nulls)
const checkedLock = caseChecker('a lock', { Update: 'update', Share: 'share' })

/** Whether an order may contain nullable columns, which cursors do not support. */
export type OrderKind = 'exact' | 'nullable'

/** The arguments of a filter, after its column and operator. */
export type FilterValue<T, Operator extends Operators> = Operator extends 'between'
  ? [range: readonly [NonNullable<T>, NonNullable<T>]]
  : Operator extends 'in'
    ? [values: readonly NonNullable<T>[]]
    : Operator extends 'is-null' | 'is-not-null'
      ? []
      : Operator extends 'is-true' | 'is-false'
        ? T extends boolean | null
          ? []
          : [never]
        : [value: NonNullable<T>]

type ExactColumnOf<E extends AnyEntity> = {
  [Name in ColumnOf<E>]: null extends RowOf<E>[Name] ? never : Name
}[ColumnOf<E>]

/** One column of a seek, by its SQL name, and its direction. */
export interface SeekOrder {
  readonly column: string
  readonly order: Orders
}

/** Restricts a selection, for example to published posts. */
export type Scope<E extends AnyEntity> = (selection: Selection<E, string, OrderKind>) => unknown

/**
 * Selects rows of an entity and their order. Each call changes this selection and returns it; use
 * `clone()` to leave a given one unchanged.
 */
export class Selection<
  E extends AnyEntity,
  out Loaded extends string = never,
  out Order extends OrderKind = 'exact',
> {
  readonly entity: E
  // Types only; these properties never exist at run time.
  declare readonly loaded: Loaded
  declare readonly orderKind: Order
  readonly #dialect: Dialect
  #conditions: Condition[] = []
  #orderings: Ordering[] = []
  #seek: SeekPosition | null = null
  #limit: number | null = null
  #offset = 0
  #lock: SelectPlan['lock'] = null
  #relations: string[] = []

  /** The dialect is used by `count()`; a repository passes its own. */
  constructor(entity: E, dialect: Dialect = defaultDialect) {
    this.entity = entity
    this.#dialect = dialect
  }

  /**
   * Adds a comparison: `filter('views', Operators.Greater, 10)`.
   * @throws InvalidArgumentException for an unknown operator or column.
   */
  filter<Name extends ColumnOf<E>, Operator extends Operators>(
    column: Name,
    operator: Operator,
    ...[value]: FilterValue<RowOf<E>[Name], Operator>
  ): this {
    const reference = this.entity.column(column)
    checkedOperator(operator)
    this.#conditions.push({ type: 'comparison', column: reference, operator, value })
    return this
  }

  /**
   * Adds a text match: `match('title', Matches.Contains, 'node')`.
   * @throws InvalidArgumentException for an unknown match, or a column that is not text.
   */
  match(column: TextColumnOf<E>, match: Matches, text: string): this {
    const reference = this.entity.column(column)
    if (reference.kind !== 'text') throw noText(this.entity, reference)
    checkedMatch(match)
    this.#conditions.push({ type: 'matching', column: reference, match, text })
    return this
  }

  /** Selects rows that match at least one branch, each narrowed by its own function. */
  either(...branches: readonly Scope<E>[]): this {
    const conditions = branches.map((narrow) => {
      const branch = new Selection(this.entity, this.#dialect)
      narrow(branch)
      return branch.#conditions
    })
    this.#conditions.push({ type: 'either', branches: conditions })
    return this
  }

  /** Adds custom SQL: `` where(sql`length(title) > ${10}`) ``. */
  where(statement: Statement): this {
    this.#conditions.push({ type: 'handwritten', statement })
    return this
  }

  /**
   * Orders by a column, after the columns of earlier calls.
   * @throws InvalidArgumentException for an unknown direction, position of NULL or column.
   */
  order(order: Orders, column: ExactColumnOf<E>): Selection<E, Loaded, Order>
  order(order: Orders, column: ColumnOf<E>, nulls?: Nulls): Selection<E, Loaded, 'nullable'>
  order(order: Orders, column: ColumnOf<E>, nulls?: Nulls): Selection<E, Loaded, OrderKind> {
    this.#orderings.push({
      column: this.entity.column(column),
      order: checkedOrder(order),
      nulls: nulls === undefined ? null : checkedNulls(nulls),
    })
    return this
  }

  /** Loads relations with the rows, each in one query. */
  with<Name extends RelationOf<E>>(...names: readonly Name[]): Selection<E, Loaded | Name, Order>
  with(...names: readonly string[]): Selection<E, string, Order> {
    for (const name of names) {
      this.entity.relation(name)
      if (!this.#relations.includes(name)) this.#relations.push(name)
    }
    return this
  }

  /** Limits the number of rows. */
  limit(rows: number): this {
    this.#limit = whole('limit', rows)
    return this
  }

  /** Skips rows at the beginning. */
  offset(rows: number): this {
    this.#offset = whole('offset', rows)
    return this
  }

  /**
   * Locks the rows until the transaction ends. Ignored by a database that locks as a whole.
   * @throws InvalidArgumentException for an unknown lock.
   */
  lock(lock: 'update' | 'share' = 'update'): this {
    this.#lock = checkedLock(lock)
    return this
  }

  /**
   * Selects rows strictly after one position of an order. Orders and values are pairs; columns have
   * their SQL names, and the last one must be unique.
   * @throws InvalidArgumentException when the lists differ in length, or for an unknown column or
   * direction.
   */
  seek(orders: readonly SeekOrder[], values: readonly unknown[]): this {
    if (orders.length === 0 || orders.length !== values.length) {
      throw new InvalidArgumentException(
        'E_CURSOR',
        `a seek needs one value for each order, got ${values.length} values for ${orders.length} orders`,
      )
    }
    const orderings = orders.map(({ column, order }) => {
      const found = this.entity.columns.find(({ name }) => name === column)
      if (found !== undefined) return { column: found, order: checkedOrder(order), nulls: null }
      throw new InvalidArgumentException(
        'E_COLUMN',
        `seek: ${this.entity.table} has no SQL column ${JSON.stringify(column)}`,
      )
    })
    this.#seek = { orderings, values }
    return this
  }

  /** `SELECT COUNT(*) AS total` with only the conditions: no order, limit, offset, seek or lock. */
  count(dialect: Dialect = this.#dialect): Query {
    return compileCount(this.plan(), dialect)
  }

  /** An independent copy. */
  clone(): Selection<E, Loaded, Order> {
    const copy = new Selection<E, Loaded, Order>(this.entity, this.#dialect)
    copy.#conditions = [...this.#conditions]
    copy.#orderings = [...this.#orderings]
    copy.#seek = this.#seek
    copy.#limit = this.#limit
    copy.#offset = this.#offset
    copy.#lock = this.#lock
    copy.#relations = [...this.#relations]
    return copy
  }

  /** Names of the relations to load. */
  get relations(): readonly string[] {
    return this.#relations
  }

  /** The plan for the compiler. */
  plan(): SelectPlan {
    return {
      table: this.entity.table,
      columns: this.entity.columns,
      conditions: this.#conditions,
      orderings: this.#orderings,
      seek: this.#seek,
      limit: this.#limit,
      offset: this.#offset,
      lock: this.#lock,
    }
  }
}

function whole(name: string, rows: number): number {
  if (Number.isSafeInteger(rows) && rows >= 0) return rows
  throw new InvalidArgumentException(
    'E_INVALID_ARGUMENT',
    `${name} must be a whole number, at least 0, got ${rows}`,
  )
}

// Decimals and exact timestamps are text only in TypeScript, so the types do not rule them out.
function noText({ table }: AnyEntity, { property, kind }: EntityColumn): InvalidArgumentException {
  return new InvalidArgumentException(
    'E_COLUMN',
    `match needs a text column, but ${table}.${property} is ${kind}`,
  )
}
