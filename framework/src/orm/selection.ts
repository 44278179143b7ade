import { invalidArgument, InvalidArgumentException } from '../base/errors.ts'
import { compileCount } from '../database/sql/write/compile-select.ts'
import { defaultDialect } from '../database/drivers.ts'
import type { Dialect } from '../database/sql/dialects/dialect.ts'
import type { Matches, Nulls, Orders } from '../database/sql/plan/operators.ts'
import type { Query, Statement } from '../database/sql/plan/statement.ts'
import type { SelectPlan, AggregateKind } from '../database/sql/plan/select-plan.ts'
import { Aggregate, termOf } from './aggregate.ts'
import type { AggregateValue, AnyAggregate, Grouped, SoundAggregate } from './aggregate.ts'
import { groupColumn, groupColumns } from './grouping.ts'
import type { Grouping } from './grouping.ts'
import {
  addRead,
  checkedReading,
  conditionsOnly,
  countRead,
  plainReading,
  rowsRead,
} from './reading.ts'
import type { Reading } from './reading.ts'
import { columnList, SelectionState } from './selection-state.ts'
import type { AnyEntity, Entity, Refused } from './entity/entity.ts'
import type {
  ChosenRows,
  ColumnFilterValue,
  ExactColumnOf,
  FilterOperator,
  FilterValue,
  GroupOf,
  NoneJson,
  NotJson,
  RelatedColumnOf,
  RelatedRows,
  RelationCounts,
  RelationOf,
  RowOf,
  SelectedRow,
  SoundRelation,
  TargetOf,
  TextColumnOf,
} from './entity/row.ts'
import type { Mapped, Modes, Pagination } from './pagination/pagination.ts'
import { isRelated } from './relations/relation-link.ts'
import { isDeleted, softDeleted } from './rows/delete-rows.ts'
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

// Without this, a name that is no relation would compile beside one that is.
type SoundChoices<E extends AnyEntity, Choices> = [Unsound<E, keyof Choices>] extends [never]
  ? unknown
  : { readonly [Name in Unsound<E, keyof Choices>]: RefusedRelation<E, Name> }

type Unsound<E extends AnyEntity, Name> = Name extends unknown
  ? unknown extends RefusedRelation<E, Name>
    ? never
    : Name
  : never

type RefusedRelation<E extends AnyEntity, Name> =
  Name extends RelationOf<E> ? SoundRelation<E, Name> : Refused<'the entity has no such relation'>

/** The order a selection may have: cursors support only columns without NULL. */
export type OrderIn<M extends Modes> = [M] extends ['cursor'] ? 'exact' : OrderKind

/** A selection with `limit()` or `offset()`; a type only. */
interface Sliced {
  readonly sliced: true
}

/** Refuses a selection of some rows where a call is for all that match. */
export type Unsliced<Given> = Given extends Sliced
  ? Refused<'a write takes conditions alone; remove limit() and offset()'>
  : unknown

type SoftDeleting<E extends AnyEntity, This> =
  E extends Entity<object, null>
    ? Refused<"the entity has no soft delete; define it with { softDelete: 'deletedAt' }">
    : This

/** What reads a selection: the repository that made it. */
interface SelectionReader<E extends AnyEntity> {
  all<Loaded, Columns>(
    selection: Selection<E, Loaded, OrderKind, Columns>,
  ): Promise<SelectedRow<Loaded, Columns>[]>
  first<Loaded, Columns>(
    selection: Selection<E, Loaded, OrderKind, Columns>,
  ): Promise<SelectedRow<Loaded, Columns> | null>
  exists(selection: AnySelection<E>): Promise<boolean>
  page<Loaded, M extends Modes, Columns>(
    selection: Selection<E, Loaded, OrderIn<M>, Columns>,
    pagination?: Pagination<M> | null,
  ): Promise<Mapped<SelectedRow<Loaded, Columns>>>
}

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
  readonly #repository: SelectionReader<E> | null
  #state = new SelectionState()

  /** The dialect is used by `count()`; a repository passes its own, and itself. */
  constructor(
    entity: E,
    dialect: Dialect = defaultDialect,
    repository: SelectionReader<E> | null = null,
  ) {
    this.entity = entity
    this.#dialect = dialect
    this.#repository = repository
  }

  /**
   * Adds a comparison: `filter('views', '>', 10)`, or `filter('views', Operators.Greater, 10)`.
   * @throws InvalidArgumentException for an unknown operator or column, or a value too many.
   */
  filter<Name extends keyof RowOf<E> & string, Operator extends FilterOperator>(
    column: Name,
    operator: Operator,
    ...[value]: ColumnFilterValue<E, Name, Operator>
  ): this {
    const reference = this.entity.column(column)
    const comparison = { operator: checkedOperator(operator), value }
    refuseValue(comparison.operator, value)
    this.#state.conditions.push({ type: 'comparison', column: reference, ...comparison })
    return this
  }

  /**
   * Adds a text match: `match('title', Matches.Contains, 'node')`.
   * @throws InvalidArgumentException for an unknown match, or a column that is not text.
   */
  match(column: TextColumnOf<E>, match: Matches, text: string): this {
    const reference = checkedText(this.entity, this.entity.column(column))
    checkedMatch(match)
    this.#state.conditions.push({ type: 'matching', column: reference, match, text })
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
      branch.#state.deleted = 'shown'
      checkedScope('each branch of either()', narrow)(branch)
      return conditionsOnly('a branch of either()', branch.reading)
    })
    this.#state.conditions.push({ type: 'either', branches: conditions })
    return this
  }

  /**
   * Adds custom SQL: `` where(sql`length(title) > ${10}`) ``.
   * @throws InvalidArgumentException for anything but a statement.
   */
  where(statement: Statement): this {
    this.#state.conditions.push({ type: 'handwritten', statement: checkedStatement(statement) })
    return this
  }

  /**
   * Selects rows that have related rows, all or some: `has('comments', (comments) =>
   * comments.filter('likes', Operators.Greater, 9))`.
   * @throws InvalidArgumentException for an unknown relation, or one narrowed by more than conditions.
   */
  has<Name extends keyof RelationChoices<E> & string>(
    relation: Name & SoundRelation<E, Name>,
    narrow?: Scope<TargetOf<E, Name>>,
  ): this {
    return this.#addRelated('has', true, relation, narrow)
  }

  /**
   * Selects rows that have no related rows, or none that match.
   * @throws InvalidArgumentException as `has`.
   */
  hasNone<Name extends keyof RelationChoices<E> & string>(
    relation: Name & SoundRelation<E, Name>,
    narrow?: Scope<TargetOf<E, Name>>,
  ): this {
    return this.#addRelated('hasNone', false, relation, narrow)
  }

  #addRelated(call: string, exists: boolean, relation: string, narrow: unknown): this {
    const reading =
      narrow === undefined
        ? plainReading(this.entity.target(relation))
        : this.#scoped(call, relation, narrow).reading
    const conditions = conditionsOnly(`${call}('${relation}')`, reading)
    this.#state.conditions.push(isRelated(this.entity, relation, exists, conditions))
    return this
  }

  /**
   * Orders by a column, after the columns of earlier calls; groups also by what is computed or related.
   * @throws InvalidArgumentException for an unknown direction, position of NULL or column.
   */
  order<Given extends AnyAggregate>(
    order: Orders,
    aggregate: Given & SoundAggregate<E, Given>,
    nulls?: Nulls,
  ): Selection<E, Loaded, Order, Columns>
  order<Name extends ExactColumnOf<E>>(
    order: Orders,
    column: Name & NotJson<E, Name>,
  ): Selection<E, Loaded, Order, Columns>
  order<Name extends (keyof RowOf<E> & string) | RelatedColumnOf<E>>(
    order: Orders,
    column: Name & NotJson<E, Name>,
    nulls?: Nulls,
  ): Selection<E, Loaded, 'nullable', Columns>
  order(order: Orders, by: unknown, nulls?: Nulls): Selection<E, Loaded, OrderKind, Columns> {
    const end = { order: checkedOrder(order), nulls: checkedNulls(nulls) }
    if (by instanceof Aggregate) {
      this.#state.groupOrderings.push({ by: termOf('order', this.entity, by), ...end })
      return this
    }
    const column = groupColumn(this.entity, String(by))
    if (column.join === undefined) this.#state.orderings.push({ column, ...end })
    this.#state.groupOrderings.push({ by: column, ...end })
    return this
  }

  /**
   * Groups the rows by columns, for `repository.aggregate()`: of the entity, or `author.name` of the row that
   * a `belongsTo` refers to.
   * @throws InvalidArgumentException for an unknown column, JSON, or none.
   */
  groupBy<Name extends keyof RowOf<E> & string>(
    ...columns: readonly [Name & NoneJson<E, Name>, ...(Name & NoneJson<E, Name>)[]]
  ): Selection<E, Loaded, Order, Grouped<Pick<RowOf<E>, Name>>>
  groupBy<Name extends (keyof RowOf<E> & string) | RelatedColumnOf<E>>(
    ...columns: readonly [Name & NoneJson<E, Name>, ...(Name & NoneJson<E, Name>)[]]
  ): Selection<E, Loaded, Order, Grouped<GroupOf<E, Name>>>
  groupBy(...columns: readonly string[]): Selection<E, Loaded, Order, unknown> {
    this.#state.groups = groupColumns(this.entity, columns)
    return this
  }

  /**
   * Selects groups by what is computed from their rows: `having(count(), '>', 2)`.
   * @throws InvalidArgumentException for an unknown aggregate or operator.
   */
  having<Kind extends AggregateKind, Name extends string | null, Operator extends FilterOperator>(
    aggregate: Aggregate<Kind, Name>,
    operator: Operator,
    ...[value]: FilterValue<AggregateValue<E, Aggregate<Kind, Name>>, Operator>
  ): this {
    const term = termOf('having', this.entity, aggregate)
    const comparison = { operator: checkedOperator(operator), value }
    refuseValue(comparison.operator, value)
    this.#state.having.push({ term, ...comparison })
    return this
  }

  /**
   * Adds conditions and orderings of a plan, for code that knows columns only at run time. They must
   * be columns of this entity.
   */
  extend({
    conditions = [],
    orderings = [],
  }: Partial<Pick<SelectPlan, 'conditions' | 'orderings'>>): this {
    this.#state.conditions.push(...conditions)
    this.#state.orderings.push(...orderings)
    const ordered = orderings.map(({ column, order, nulls }) => ({ by: column, order, nulls }))
    this.#state.groupOrderings.push(...ordered)
    return this
  }

  /**
   * Loads relations with the rows, each in one query: `with('author', 'tags')`, or narrowed and
   * nested: `with({ comments: (comments) => comments.order('desc', 'id').limit(3).with('author') })`.
   * A limit counts for each row.
   * @throws InvalidArgumentException for an unknown relation or choice.
   */
  with<const Choices extends object & RelationChoices<E>>(
    choices: Choices & SoundChoices<E, Choices>,
  ): Selection<E, Loaded & ChosenRows<E, Choices>, Order, Columns>
  with<Name extends keyof RelationChoices<E> & string>(
    ...names: readonly (Name & SoundRelation<E, Name>)[]
  ): Selection<E, Loaded & RelatedRows<E, Name>, Order, Columns>
  with(...given: readonly unknown[]): Selection<E, unknown, Order, Columns> {
    for (const [name, choice] of choicesIn('with', given)) {
      const reading = choice === true ? null : this.#related('with', name, choice).reading
      addRead(this.entity, this.#state.relations, rowsRead(this.entity, name, reading))
    }
    return this
  }

  /**
   * Counts relations, each in one query: `withCount('comments')` gives each row `commentsCount`;
   * `withCount({ comments: (comments) => comments.filter(…) })` counts some.
   * @throws InvalidArgumentException for an unknown relation or choice.
   */
  withCount<const Choices extends object & CountChoices<E>>(
    choices: Choices & SoundChoices<E, Choices>,
  ): Selection<E, Loaded & RelationCounts<keyof Choices & string>, Order, Columns>
  withCount<Name extends keyof RelationChoices<E> & string>(
    ...names: readonly (Name & SoundRelation<E, Name>)[]
  ): Selection<E, Loaded & RelationCounts<Name>, Order, Columns>
  withCount(...given: readonly unknown[]): Selection<E, unknown, Order, Columns> {
    for (const [name, choice] of choicesIn('withCount', given)) {
      const reading = choice === true ? null : this.#scoped('withCount', name, choice).reading
      addRead(this.entity, this.#state.relations, countRead(this.entity, name, reading))
    }
    return this
  }

  /**
   * Selects deleted rows too.
   * @throws InvalidArgumentException for an entity without soft delete.
   */
  withDeleted(this: SoftDeleting<E, this>): this
  withDeleted(): this {
    softDeleted('withDeleted', this.entity)
    this.#state.deleted = 'shown'
    return this
  }

  /**
   * Selects only deleted rows.
   * @throws InvalidArgumentException for an entity without soft delete.
   */
  onlyDeleted(this: SoftDeleting<E, this>): this
  onlyDeleted(): this {
    softDeleted('onlyDeleted', this.entity)
    this.#state.deleted = 'only'
    return this
  }

  /** Limits the number of rows. */
  limit(rows: number): this & Sliced
  limit(rows: number): this {
    this.#state.limit = wholeRows('limit', rows)
    return this
  }

  /** Skips rows at the beginning. */
  offset(rows: number): this & Sliced
  offset(rows: number): this {
    this.#state.offset = wholeRows('offset', rows)
    return this
  }

  /**
   * Reads only these columns: `only('id', 'title')`. Another call replaces them.
   * @throws InvalidArgumentException for an unknown column, or without any.
   */
  only<Name extends keyof RowOf<E> & string>(
    ...columns: readonly [Name, ...Name[]]
  ): Selection<E, Loaded, Order, Pick<RowOf<E>, Name>>
  only(...columns: readonly string[]): Selection<E, Loaded, Order, unknown> {
    if (columns.length === 0) {
      throw invalidArgument('only needs at least one column')
    }
    this.#state.columns = columnList(this.entity, columns)
    return this
  }

  /** Reads equal rows once; needs `only()`. Its order may only have columns that are read. */
  distinct(): this {
    this.#state.isDistinct = true
    return this
  }

  /**
   * Locks the rows until the transaction ends; outside of one it is refused when the rows are read.
   * Ignored by a database that locks as a whole.
   * @throws InvalidArgumentException for an unknown lock or option.
   */
  lock(lock: 'update' | 'share' = 'update', options: LockOptions = {}): this {
    this.#state.lock = checkedLock(lock)
    this.#state.locked = checkedLockOptions(options)
    return this
  }

  /**
   * Selects rows strictly after one position of an order. Orders and values are pairs; columns have
   * their SQL names, and the last one must be unique.
   * @throws InvalidArgumentException when the lists differ in length, or for an unknown column or
   * direction.
   */
  seek(orders: readonly SeekOrder[], values: readonly unknown[]): this {
    this.#state.seek = checkedSeek(this.entity, orders, values)
    return this
  }

  /**
   * The rows, as `repository.all(selection)` reads them; for a selection that a repository made.
   * @throws InvalidArgumentException for one without a repository.
   */
  async all<L = Loaded, C = Columns>(
    this: Selection<E, L, OrderKind, C>,
  ): Promise<SelectedRow<L, C>[]> {
    return this.#reader('all').all(this)
  }

  /** The first row or null, as `repository.first(selection)` reads it. */
  async first<L = Loaded, C = Columns>(
    this: Selection<E, L, OrderKind, C>,
  ): Promise<SelectedRow<L, C> | null> {
    return this.#reader('first').first(this)
  }

  /** Whether there are any rows, as `repository.exists(selection)` tells. */
  async exists(): Promise<boolean> {
    return this.#reader('exists').exists(this)
  }

  /** One page, as `repository.page(selection, pagination)` reads it. */
  async page<L = Loaded, M extends Modes = Modes, C = Columns>(
    this: Selection<E, L, OrderIn<M>, C>,
    pagination?: Pagination<M> | null,
  ): Promise<Mapped<SelectedRow<L, C>>> {
    return this.#reader('page').page(this, pagination)
  }

  #reader(call: string): SelectionReader<E> {
    if (this.#repository !== null) return this.#repository
    throw invalidArgument(
      `${call}() of a selection needs the repository that made it, as in repository.select().${call}(); pass this one to repository.${call}(selection)`,
    )
  }

  /** `SELECT COUNT(*) AS total` with only the conditions: no order, limit, offset, seek or lock. */
  count(dialect: Dialect = this.#dialect): Query {
    return compileCount(this.plan(), dialect)
  }

  /** An independent copy. */
  clone(): Selection<E, Loaded, Order, Columns> {
    const copy = new Selection<E, Loaded, Order, Columns>(
      this.entity,
      this.#dialect,
      this.#repository,
    )
    copy.#state = this.#state.copy()
    return copy
  }

  /** Names of the relations to load. */
  get relations(): readonly string[] {
    const loaded = this.#state.relations.filter(({ kind }) => kind === 'rows')
    return loaded.map(({ relation }) => relation)
  }

  /** The plan for the compiler. */
  plan(): SelectPlan {
    const { orderings, seek, limit, offset, lock, locked, isDistinct, deleted } = this.#state
    const { table, columns: all, deletedAt, undeleted } = this.entity
    let { conditions } = this.#state
    if (deletedAt !== null && deleted !== 'shown') {
      conditions = [...conditions, ...(deleted === 'hidden' ? undeleted : [isDeleted(deletedAt)])]
    }
    const columns = this.#state.columns ?? all
    const slice = { orderings, seek, limit, offset, lock, locked, isDistinct }
    return { table, columns, conditions, ...slice }
  }

  /**
   * All that it reads.
   * @throws InvalidArgumentException for calls that contradict each other.
   */
  get reading(): Reading {
    const { groups, having, groupOrderings, orderings } = this.#state
    const isGrouped = groups.length > 0 || having.length > 0
    if (!isGrouped && groupOrderings.length === orderings.length) {
      return checkedReading(this.#rows())
    }
    throw invalidArgument(
      `a selection of ${this.entity.table} with groupBy(), having() or an order by an aggregate has no rows; read it with aggregate()`,
    )
  }

  /** How it groups rows, and the rows. */
  get grouping(): Grouping & { readonly reading: Reading } {
    const { groups, having, groupOrderings: orderings } = this.#state
    return { groups, having, orderings, reading: this.#rows() }
  }

  #rows(): Reading {
    const { relations, columns } = this.#state
    const { entity } = this
    return { entity, plan: this.plan(), columns: columns ?? entity.columns, relations }
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
    throw invalidArgument(
      `${call}: the function of ${name} must return the selection that it was given, got ${kindOf(narrowed)}`,
    )
  }
}

/**
 * A selection of this entity. One that is missing is an error too: without its conditions a call
 * would affect every row.
 * @throws InvalidArgumentException for anything else.
 */
export function checkedSelection<E extends AnyEntity>(
  call: string,
  entity: E,
  selection: AnySelection<E>,
  code: 'E_INVALID_ARGUMENT' | 'E_PAGINATION' = 'E_INVALID_ARGUMENT',
): AnySelection<E> {
  const given: unknown = selection
  if (!(given instanceof Selection)) {
    throw invalidArgument(
      `${call} takes a selection of ${entity.table}, as in repository.select(), got ${kindOf(given)}`,
    )
  }
  if (selection.entity === entity) return selection
  throw new InvalidArgumentException(
    code,
    `the selection belongs to ${selection.entity.table}, the repository to ${entity.table}`,
  )
}
