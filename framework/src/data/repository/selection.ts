import { InvalidArgumentException } from '../../base/errors.ts'
import { caseOf } from '../sql/write/case-of.ts'
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

const checkedOperator = caseOf('the operator of a filter', Operators)
const checkedMatch = caseOf('the kind of a match', Matches)
const checkedOrder = caseOf('the direction of an order', Orders)
const checkedNulls = caseOf('the place of NULL in an order', Nulls)
const checkedLock = caseOf('a lock', { Update: 'update', Share: 'share' })

/** Whether an order may hold a column with NULLs, which a cursor cannot walk over. */
export type OrderKind = 'exact' | 'nullable'

/** What a filter takes beside its column and operator. */
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

/** One pair of a seek: a column by its name in SQL, and its direction. */
export interface SeekOrder {
  readonly column: string
  readonly order: Orders
}

/** Restricts a selection; what a list of posts, say, always leaves out. */
export type Scope<E extends AnyEntity> = (selection: Selection<E, string, OrderKind>) => unknown

/**
 * Which rows of an entity are meant, and in which order. Each call narrows this very selection and
 * gives it back; whoever is handed one works on a `clone()`.
 */
export class Selection<
  E extends AnyEntity,
  out Loaded extends string = never,
  out Order extends OrderKind = 'exact',
> {
  readonly entity: E
  // Types only; no value ever has them.
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

  /** The dialect is that of `count()`; a repository hands in its own. */
  constructor(entity: E, dialect: Dialect = defaultDialect) {
    this.entity = entity
    this.#dialect = dialect
  }

  /**
   * Keeps rows whose column compares so: `filter('views', Operators.Greater, 10)`.
   * @throws InvalidArgumentException for an operator or a column that there is not.
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
   * Keeps rows whose text matches: `match('title', Matches.Contains, 'node')`.
   * @throws InvalidArgumentException for a kind of match or a column of text that there is not.
   */
  match(column: TextColumnOf<E>, match: Matches, text: string): this {
    const reference = this.entity.column(column)
    if (reference.kind !== 'text') throw noText(this.entity, reference)
    checkedMatch(match)
    this.#conditions.push({ type: 'matching', column: reference, match, text })
    return this
  }

  /** Keeps rows that fulfil at least one branch, each narrowed by its own function. */
  either(...branches: readonly Scope<E>[]): this {
    const conditions = branches.map((narrow) => {
      const branch = new Selection(this.entity, this.#dialect)
      narrow(branch)
      return branch.#conditions
    })
    this.#conditions.push({ type: 'either', branches: conditions })
    return this
  }

  /** Keeps rows that fulfil SQL of your own: `` where(sql`length(title) > ${10}`) ``. */
  where(statement: Statement): this {
    this.#conditions.push({ type: 'handwritten', statement })
    return this
  }

  /**
   * Orders by a column, behind the columns ordered by before.
   * @throws InvalidArgumentException for a direction, a place of NULL or a column that there is not.
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

  /** At most so many rows. */
  limit(rows: number): this {
    this.#limit = whole('limit', rows)
    return this
  }

  /** Leaves out so many rows at the beginning. */
  offset(rows: number): this {
    this.#offset = whole('offset', rows)
    return this
  }

  /**
   * Locks the rows until the transaction ends. A database whose transactions lock all ignores it.
   * @throws InvalidArgumentException for a lock that there is not.
   */
  lock(lock: 'update' | 'share' = 'update'): this {
    this.#lock = checkedLock(lock)
    return this
  }

  /**
   * Keeps rows strictly after one position of an order. The pairs and values go together one by one;
   * columns are named as in SQL, and the last one is unique.
   * @throws InvalidArgumentException when the lists differ in length, or a column or direction is
   *   unknown.
   */
  seek(orders: readonly SeekOrder[], values: readonly unknown[]): this {
    if (orders.length === 0 || orders.length !== values.length) {
      throw new InvalidArgumentException(
        'E_CURSOR',
        `a seek takes one value for each order, got ${values.length} values for ${orders.length} orders`,
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

  /** `SELECT COUNT(*) AS total` with the conditions alone: no order, limit, offset, seek or lock. */
  count(dialect: Dialect = this.#dialect): Query {
    return compileCount(this.plan(), dialect)
  }

  /** A selection of its own with everything this one says. */
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

  /** Everything it says, for the compiler. */
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
    `${name} takes a whole number of 0 or more, got ${rows}`,
  )
}

// Decimals and exact moments are text in TypeScript only, which the types cannot tell.
function noText({ table }: AnyEntity, { property, kind }: EntityColumn): InvalidArgumentException {
  return new InvalidArgumentException(
    'E_COLUMN',
    `match takes a column of text, ${table}.${property} is ${kind}`,
  )
}
