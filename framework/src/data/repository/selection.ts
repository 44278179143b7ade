import { InvalidArgumentException } from '../../base/errors.ts'
import { compileCount } from '../sql/write/compile-count.ts'
import type { Condition } from '../sql/plan/condition.ts'
import { defaultDialect } from '../sql/dialects/default-dialect.ts'
import type { Dialect } from '../sql/dialects/dialect.ts'
import type { Matches, Nulls, Operators, Orders } from '../sql/plan/operators.ts'
import type { Query } from '../sql/plan/query.ts'
import type { Ordering, SeekPosition, SelectPlan } from '../sql/plan/select-plan.ts'
import type { Statement } from '../sql/plan/statement.ts'
import { conditionsOnly } from './conditions-only.ts'
import { columnList } from './entity/column-lists.ts'
import type { AnyEntity, EntityColumn } from './entity/entity.ts'
import type { ExactColumnOf, FilterValue } from './entity/filter-value.ts'
import type { ColumnOf, RelatedRows, RelationOf, RowOf, TargetOf } from './entity/row.ts'
import type { ChosenRows, RelationCounts, TextColumnOf } from './entity/row.ts'
import { checkedReading, plainPlan, plainReading } from './reading.ts'
import type { Reading, RelationRead } from './reading.ts'
import { isRelated } from './relations/is-related.ts'
import { softDeleted, visibleRows } from './rows/deleted-rows.ts'
import type { DeletedRows } from './rows/deleted-rows.ts'
import { addRead, countRead, rowsRead } from './relations/relation-read.ts'
import {
  checkedLock,
  checkedLockOptions,
  checkedMatch,
  checkedNulls,
  checkedOperator,
  checkedOrder,
  checkedScope,
  checkedSeek,
  checkedStatement,
  checkedText,
  choicesIn,
  kindOf,
  refuseValue,
  wholeRows,
} from './selection-arguments.ts'
import type { LockOptions, SeekOrder } from './selection-arguments.ts'

/** Whether an order may contain nullable columns, which cursors do not support. */
export type OrderKind = 'exact' | 'nullable'

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
  #locked: NonNullable<SelectPlan['locked']> | null = null
  #columns: readonly EntityColumn[] | null = null
  #isDistinct = false
  #relations: RelationRead[] = []
  #deleted: DeletedRows = 'hidden'

  /** The dialect is used by `count()`; a repository passes its own. */
  constructor(entity: E, dialect: Dialect = defaultDialect) {
    this.entity = entity
    this.#dialect = dialect
  }

  /**
   * Adds a comparison: `filter('views', Operators.Greater, 10)`.
   * @throws InvalidArgumentException for an unknown operator or column, or a value too many.
   */
  filter<Name extends ColumnOf<E>, Operator extends Operators>(
    column: Name,
    operator: Operator,
    ...[value]: FilterValue<RowOf<E>[Name], Operator>
  ): this {
    const reference = this.entity.column(column)
    refuseValue(checkedOperator(operator), value)
    this.#conditions.push({ type: 'comparison', column: reference, operator, value })
    return this
  }

  /**
   * Adds a text match: `match('title', Matches.Contains, 'node')`.
   * @throws InvalidArgumentException for an unknown match, or a column that is not text.
   */
  match(column: TextColumnOf<E>, match: Matches, text: string): this {
    const reference = checkedText(this.entity, this.entity.column(column))
    checkedMatch(match)
    this.#conditions.push({ type: 'matching', column: reference, match, text })
    return this
  }

  /**
   * Selects rows that match at least one branch, each narrowed by its own function.
   * @throws InvalidArgumentException for a branch that is not a function, or has more than
   *   conditions.
   */
  either(...branches: readonly Scope<E>[]): this {
    const conditions = branches.map((narrow) => {
      const branch = new Selection(this.entity, this.#dialect)
      branch.#deleted = 'shown'
      checkedScope('each branch of either()', narrow)(branch)
      return conditionsOnly('a branch of either()', branch.reading)
    })
    this.#conditions.push({ type: 'either', branches: conditions })
    return this
  }

  /**
   * Adds custom SQL: `` where(sql`length(title) > ${10}`) ``.
   * @throws InvalidArgumentException for anything but a statement.
   */
  where(statement: Statement): this {
    this.#conditions.push({ type: 'handwritten', statement: checkedStatement(statement) })
    return this
  }

  /**
   * Selects rows that have related rows, all or some: `has('comments', (comments) =>
   * comments.filter('likes', Operators.Greater, 9))`.
   * @throws InvalidArgumentException for an unknown relation, or one narrowed by more than conditions.
   */
  has<Name extends RelationOf<E>>(relation: Name, narrow?: Scope<TargetOf<E, Name>>): this {
    return this.#addRelated('has', true, relation, narrow)
  }

  /**
   * Selects rows that have no related rows, or none that match.
   * @throws InvalidArgumentException as `has`.
   */
  hasNone<Name extends RelationOf<E>>(relation: Name, narrow?: Scope<TargetOf<E, Name>>): this {
    return this.#addRelated('hasNone', false, relation, narrow)
  }

  #addRelated(call: string, exists: boolean, relation: string, narrow: unknown): this {
    const reading =
      narrow === undefined
        ? plainReading(this.entity.target(relation))
        : this.#scoped(call, relation, narrow).reading
    const conditions = conditionsOnly(`${call}('${relation}')`, reading)
    this.#conditions.push(isRelated(this.entity, relation, exists, conditions))
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
      nulls: checkedNulls(nulls),
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

  /**
   * Selects deleted rows too.
   * @throws InvalidArgumentException for an entity without soft delete.
   */
  withDeleted(): this {
    softDeleted('withDeleted', this.entity)
    this.#deleted = 'shown'
    return this
  }

  /**
   * Selects only deleted rows.
   * @throws InvalidArgumentException for an entity without soft delete.
   */
  onlyDeleted(): this {
    softDeleted('onlyDeleted', this.entity)
    this.#deleted = 'only'
    return this
  }

  /** Limits the number of rows. */
  limit(rows: number): this {
    this.#limit = wholeRows('limit', rows)
    return this
  }

  /** Skips rows at the beginning. */
  offset(rows: number): this {
    this.#offset = wholeRows('offset', rows)
    return this
  }

  /**
   * Reads only these columns: `only('id', 'title')`. Another call replaces them.
   * @throws InvalidArgumentException for an unknown column, or without any.
   */
  only<Name extends ColumnOf<E>>(
    ...columns: readonly [Name, ...Name[]]
  ): Selection<E, Loaded, Order, Pick<RowOf<E>, Name>>
  only(...columns: readonly string[]): Selection<E, Loaded, Order, unknown> {
    if (columns.length === 0) {
      throw new InvalidArgumentException('E_INVALID_ARGUMENT', 'only needs at least one column')
    }
    this.#columns = columnList(this.entity, columns)
    return this
  }

  /** Reads equal rows once; needs `only()`. Its order may only have columns that are read. */
  distinct(): this {
    this.#isDistinct = true
    return this
  }

  /**
   * Locks the rows until the transaction ends. Ignored by a database that locks as a whole.
   * @throws InvalidArgumentException for an unknown lock or option.
   */
  lock(lock: 'update' | 'share' = 'update', options: LockOptions = {}): this {
    this.#lock = checkedLock(lock)
    this.#locked = checkedLockOptions(options)
    return this
  }

  /**
   * Selects rows strictly after one position of an order. Orders and values are pairs; columns have
   * their SQL names, and the last one must be unique.
   * @throws InvalidArgumentException when the lists differ in length, or for an unknown column or
   * direction.
   */
  seek(orders: readonly SeekOrder[], values: readonly unknown[]): this {
    this.#seek = checkedSeek(this.entity, orders, values)
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
    copy.#locked = this.#locked
    copy.#columns = this.#columns
    copy.#isDistinct = this.#isDistinct
    copy.#relations = [...this.#relations]
    copy.#deleted = this.#deleted
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
      conditions: visibleRows(this.entity, this.#deleted, this.#conditions),
      orderings: this.#orderings,
      seek: this.#seek,
      limit: this.#limit,
      offset: this.#offset,
      lock: this.#lock,
      locked: this.#locked,
      columns: this.#columns ?? this.entity.columns,
      isDistinct: this.#isDistinct,
    }
  }

  /**
   * All that it reads.
   * @throws InvalidArgumentException for calls that contradict each other.
   */
  get reading(): Reading {
    const { entity } = this
    const columns = this.#columns ?? entity.columns
    return checkedReading({ entity, plan: this.plan(), columns, relations: this.#relations })
  }

  // The selection of a relation, narrowed in place.
  #scoped(call: string, name: string, narrow: unknown): AnySelection<AnyEntity> {
    const selection = new Selection(this.entity.target(name), this.#dialect)
    checkedScope(`${call}: the second argument`, narrow)(selection)
    return selection
  }

  // The same with the result of the function, from which the type of the rows is known.
  #related(call: string, name: string, narrow: unknown): AnySelection<AnyEntity> {
    const target = this.entity.target(name)
    const narrowed = checkedScope(call, narrow)(new Selection(target, this.#dialect))
    if (narrowed instanceof Selection && narrowed.entity === target) return narrowed
    throw new InvalidArgumentException(
      'E_INVALID_ARGUMENT',
      `${call}: the function of ${name} must return the selection that it was given, got ${kindOf(narrowed)}`,
    )
  }
}
