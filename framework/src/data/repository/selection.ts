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
import type {
  ColumnOf,
  RelatedRows,
  RelatedValue,
  RelationOf,
  RowOf,
  SelectedRow,
  TargetOf,
  TextColumnOf,
} from './entity/row.ts'
import { plainPlan } from './reading.ts'
import type { Reading, RelationRead } from './reading.ts'
import { addRead, countRead, rowsRead } from './relations/relation-read.ts'

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

/** A selection of an entity, whatever it reads and however it is ordered. */
export type AnySelection<E extends AnyEntity> = Selection<E, unknown, OrderKind, unknown>

/** What `extend` adds to a selection. */
export type SelectionParts = Partial<Pick<SelectPlan, 'conditions' | 'orderings'>>

/** Restricts a selection, for example to published posts. */
export type Scope<E extends AnyEntity> = (selection: AnySelection<E>) => unknown

/** How each relation is loaded: `true`, or a function that narrows its selection and returns it. */
export type RelationChoices<E extends AnyEntity> = {
  readonly [Name in RelationOf<E>]?:
    | true
    | ((related: Selection<TargetOf<E, Name>>) => AnySelection<TargetOf<E, Name>>)
}

/** The loaded relations of a row, as chosen. */
export type ChosenRows<E extends AnyEntity, Choices> = {
  [Name in keyof Choices & string]: RelatedValue<
    E,
    Name,
    ChosenRow<TargetOf<E, Name>, Choices[Name]>
  >
}

type ChosenRow<E extends AnyEntity, Choice> = Choice extends (...selection: never) => {
  readonly loaded: infer Loaded
  readonly shown: infer Columns
}
  ? SelectedRow<Loaded, Columns>
  : RowOf<E>

/** The counts of relations, as properties of a row. */
export type RelationCounts<Names extends string> = { [Name in Names as `${Name}Count`]: number }

/** Which relations are counted: `true` for all rows, or a function that narrows them. */
export type CountChoices<E extends AnyEntity> = {
  readonly [Name in RelationOf<E>]?: true | Scope<TargetOf<E, Name>>
}

// A property that no relation has; without this, one beside a correct one would compile.
type Nothing<Names> = { readonly [Name in Names & string]: never }

/**
 * Selects rows of an entity and their order. Each call changes this selection and returns it; use
 * `clone()` to leave a given one unchanged. `Loaded` is what its rows have besides their `Columns`.
 */
export class Selection<
  E extends AnyEntity,
  out Loaded = unknown,
  out Order extends OrderKind = 'exact',
  out Columns = RowOf<E>,
> {
  readonly entity: E
  // Types only; these properties never exist at run time.
  declare readonly loaded: Loaded
  declare readonly orderKind: Order
  declare readonly shown: Columns
  readonly #dialect: Dialect
  #conditions: Condition[] = []
  #orderings: Ordering[] = []
  #seek: SeekPosition | null = null
  #limit: number | null = null
  #offset = 0
  #lock: SelectPlan['lock'] = null
  #relations: RelationRead[] = []

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
  order(order: Orders, column: ExactColumnOf<E>): Selection<E, Loaded, Order, Columns>
  order(
    order: Orders,
    column: ColumnOf<E>,
    nulls?: Nulls,
  ): Selection<E, Loaded, 'nullable', Columns>
  order(
    order: Orders,
    column: ColumnOf<E>,
    nulls?: Nulls,
  ): Selection<E, Loaded, OrderKind, Columns> {
    this.#orderings.push({
      column: this.entity.column(column),
      order: checkedOrder(order),
      nulls: nulls === undefined ? null : checkedNulls(nulls),
    })
    return this
  }

  /**
   * Adds conditions and orderings of a plan, for code that knows columns only at run time. They must
   * be columns of this entity.
   */
  extend({ conditions = [], orderings = [] }: SelectionParts): this {
    this.#conditions.push(...conditions)
    this.#orderings.push(...orderings)
    return this
  }

  /**
   * Loads relations with the rows, each in one query: `with('author', 'tags')`, or narrowed and
   * nested: `with({ comments: (comments) => comments.order('desc', 'id').limit(3).with('author') })`.
   * A limit counts for each row.
   * @throws InvalidArgumentException for an unknown relation or choice.
   */
  with<Name extends RelationOf<E>>(
    ...names: readonly Name[]
  ): Selection<E, Loaded & RelatedRows<E, Name>, Order, Columns>
  with<const Choices extends object & RelationChoices<E>>(
    choices: Choices & Nothing<Exclude<keyof Choices, RelationOf<E>>>,
  ): Selection<E, Loaded & ChosenRows<E, Choices>, Order, Columns>
  with(...given: readonly unknown[]): Selection<E, unknown, Order, Columns> {
    for (const [name, choice] of choicesIn('with', given)) {
      const reading = choice === true ? null : this.#related('with', name, choice).reading
      addRead(this.entity, this.#relations, rowsRead(this.entity, name, reading))
    }
    return this
  }

  /**
   * Counts relations, each in one query: `withCount('comments')` gives each row `commentsCount`;
   * `withCount({ comments: (comments) => comments.filter(…) })` counts some.
   * @throws InvalidArgumentException for an unknown relation or choice.
   */
  withCount<Name extends RelationOf<E>>(
    ...names: readonly Name[]
  ): Selection<E, Loaded & RelationCounts<Name>, Order, Columns>
  withCount<const Choices extends object & CountChoices<E>>(
    choices: Choices & Nothing<Exclude<keyof Choices, RelationOf<E>>>,
  ): Selection<E, Loaded & RelationCounts<keyof Choices & string>, Order, Columns>
  withCount(...given: readonly unknown[]): Selection<E, unknown, Order, Columns> {
    for (const [name, choice] of choicesIn('withCount', given)) {
      const reading = choice === true ? null : this.#scoped('withCount', name, choice).reading
      addRead(this.entity, this.#relations, countRead(this.entity, name, reading))
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
  clone(): Selection<E, Loaded, Order, Columns> {
    const copy = new Selection<E, Loaded, Order, Columns>(this.entity, this.#dialect)
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
    return this.#relations.filter(({ kind }) => kind === 'rows').map(({ relation }) => relation)
  }

  /** The plan for the compiler. */
  plan(): SelectPlan {
    return {
      ...plainPlan(this.entity),
      conditions: this.#conditions,
      orderings: this.#orderings,
      seek: this.#seek,
      limit: this.#limit,
      offset: this.#offset,
      lock: this.#lock,
    }
  }

  /** All that it reads. */
  get reading(): Reading {
    const { entity } = this
    return { entity, plan: this.plan(), columns: entity.columns, relations: this.#relations }
  }

  // The selection of a relation, narrowed in place.
  #scoped(call: string, name: string, narrow: unknown): AnySelection<AnyEntity> {
    const selection = new Selection(this.entity.target(name), this.#dialect)
    if (typeof narrow !== 'function') throw invalidChoice(call, name, narrow)
    narrow(selection)
    return selection
  }

  // The same with the result of the function, from which the type of the rows is known.
  #related(call: string, name: string, narrow: unknown): AnySelection<AnyEntity> {
    const target = this.entity.target(name)
    if (typeof narrow !== 'function') throw invalidChoice(call, name, narrow)
    const narrowed: unknown = narrow(new Selection(target, this.#dialect))
    if (narrowed instanceof Selection && narrowed.entity === target) return narrowed
    throw new InvalidArgumentException(
      'E_INVALID_ARGUMENT',
      `${call}: the function of ${name} must return the selection that it was given, got ${kindOf(narrowed)}`,
    )
  }
}

type Choice = readonly [name: string, choice: unknown]

/** Relations by name, or in an object with a choice for each. */
function choicesIn(call: string, given: readonly unknown[]): readonly Choice[] {
  return given.flatMap((part): readonly Choice[] => {
    if (typeof part === 'string') return [[part, true]]
    if (typeof part === 'object' && part !== null && !Array.isArray(part)) {
      return Object.entries(part)
    }
    throw new InvalidArgumentException(
      'E_INVALID_ARGUMENT',
      `${call} takes names of relations, or an object with a choice for each, got ${kindOf(part)}`,
    )
  })
}

function invalidChoice(call: string, name: string, choice: unknown): InvalidArgumentException {
  return new InvalidArgumentException(
    'E_INVALID_ARGUMENT',
    `${call}: ${name} must be true or a function that narrows its selection, got ${kindOf(choice)}`,
  )
}

function kindOf(value: unknown): string {
  return value === null ? 'null' : typeof value
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
