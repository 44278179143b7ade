import type { Surface } from '../database/surface.ts'
import type { Condition } from '../database/sql/plan/condition.ts'
import type { AggregateKind } from '../database/sql/plan/select-plan.ts'
import type { Query, Statement } from '../database/sql/plan/statement.ts'
import { average, maximum, minimum, sum, readAggregates } from './aggregate.ts'
import type {
  Aggregate,
  AggregateRow,
  AggregateValue,
  AnyAggregate,
  NumbersOf,
  OrderedColumnOf,
  SoundAggregates,
} from './aggregate.ts'
import { groupPlan, plainGroups } from './grouping.ts'
import { checkedSelection, Selection } from './selection.ts'
import type { AnySelection, OrderIn, OrderKind, Scope, Unsliced } from './selection.ts'
import { conditionsOnly } from './reading.ts'
import type { Reading } from './reading.ts'
import type { AnyEntity, Entity, Refused } from './entity/entity.ts'
import type {
  ChangesOf,
  ColumnFilterValue,
  FilterOperator,
  KeyOf,
  NewRowOf,
  RowOf,
  SelectedRow,
} from './entity/row.ts'
import { hydratePagination, pageOf, refuseOther, startPagination } from './pagination/paginated.ts'
import type { Paginated } from './pagination/paginated.ts'
import { incrementRow, incrementRows } from './rows/increment-rows.ts'
import type { IncrementsOf } from './rows/increment-rows.ts'
import { insertQueries, insertQuery, writtenRow, writtenRows } from './rows/insert-rows.ts'
import type { Mapped, Modes, Pagination } from './pagination/pagination.ts'
import { countRows, findRow, firstByOrder, hasRows, onlyRow, readRows } from './rows/read-rows.ts'
import type { Soon } from './rows/read-rows.ts'
import { deleteRows, removeRows, restoreRow } from './rows/delete-rows.ts'
import type { PlainRow } from './rows/hydrate-rows.ts'
import { hasKey, isRow } from './rows/key-conditions.ts'
import { changeLinks } from './relations/write-links.ts'
import type { BridgeChanges, LinkedKeyOf, ManyToManyOf } from './relations/write-links.ts'
import { upsertQueries, upsertQuery } from './rows/upsert-rows.ts'
import type { UpsertOptions } from './rows/upsert-rows.ts'
import { walkOver } from './pagination/walk.ts'
import type { WalkOptions } from './pagination/walk.ts'
import { updateRow, updateRows } from './rows/update-rows.ts'

type SomeChanges<E extends AnyEntity, Changes> = [keyof Changes] extends [never]
  ? Refused<'updateAll() needs at least one change'>
  : { readonly [Name in Exclude<keyof Changes, keyof RowOf<E>>]: never }

type SoftDeletedKey<E extends AnyEntity> =
  E extends Entity<object, null>
    ? Refused<"the entity has no soft delete; define it with { softDelete: 'deletedAt' }">
    : unknown

// Hydration builds rows from the same columns and relations as their type, which the compiler cannot
// see. Hence the casts.

/**
 * The rows of one entity on one surface. Values are checked before anything is sent; a failed
 * statement throws a `DatabaseError`.
 */
export class Repository<E extends AnyEntity> {
  readonly entity: E
  readonly surface: Surface

  constructor(entity: E, surface: Surface) {
    this.entity = entity
    this.surface = surface
  }

  /** The same repository on another surface, such as a transaction. */
  using(surface: Surface): Repository<E> {
    return new Repository(this.entity, surface)
  }

  /** A selection of all rows, to be narrowed. */
  select(): Selection<E> {
    return new Selection(this.entity, this.surface.dialect, this)
  }

  /** A selection by a comparison, `select().filter(…)`: `items.filter('stock', '>', 0).all()`. */
  filter<Name extends keyof RowOf<E> & string, Operator extends FilterOperator>(
    column: Name,
    operator: Operator,
    ...value: ColumnFilterValue<E, Name, Operator>
  ): Selection<E> {
    return this.select().filter(column, operator, ...value)
  }

  /** A selection by custom SQL, `select().where(…)`: `` items.where(sql`stock < sold`).first() ``. */
  where(statement: Statement): Selection<E> {
    return this.select().where(statement)
  }

  /**
   * The row with this key, or null. With a selection it must match that too, and has the columns and
   * relations that it reads.
   */
  async find<Loaded = unknown, Columns = RowOf<E>>(
    key: KeyOf<E>,
    selection?: Selection<E, Loaded, OrderKind, Columns>,
  ): Promise<SelectedRow<Loaded, Columns> | null> {
    const { surface, entity } = this
    if (selection === undefined) {
      const row = findRow(surface, entity, isRow(entity, key, surface.dialect))
      return typedRow<SelectedRow<Loaded, Columns> | null>(row)
    }
    const isKey = hasKey(entity, key, surface.dialect)
    const rows = await readRows(surface, onlyRow(this.#reading('find', selection), isKey))
    return typedRow<SelectedRow<Loaded, Columns> | null>(rows[0] ?? null)
  }

  /** The first row of a selection, or null. Without an order it is the one with the lowest key. */
  async first<Loaded = unknown, Columns = RowOf<E>>(
    selection?: Selection<E, Loaded, OrderKind, Columns>,
  ): Promise<SelectedRow<Loaded, Columns> | null> {
    const reading = this.#reading('first', selection ?? this.select())
    const rows = await readRows(this.surface, firstByOrder(reading))
    return typedRow<SelectedRow<Loaded, Columns> | null>(rows[0] ?? null)
  }

  /** The rows of a selection, with the relations it names. */
  async all<Loaded = unknown, Columns = RowOf<E>>(
    selection?: Selection<E, Loaded, OrderKind, Columns>,
  ): Promise<SelectedRow<Loaded, Columns>[]> {
    const reading = this.#reading('all', selection ?? this.select())
    return (await readRows(this.surface, reading)) as SelectedRow<Loaded, Columns>[]
  }

  /** How many rows match the conditions; order, limit, offset and seek are ignored. */
  async count(selection?: AnySelection<E>): Promise<number> {
    return countRows(this.surface, this.#reading('count', selection ?? this.select()).plan)
  }

  /**
   * The exact sum of a column over the rows that match, or null without any.
   * @throws InvalidArgumentException for a column without a sum.
   * @throws FrameworkError (E_INTEGER_RANGE) when a number cannot represent it.
   */
  async sum<Name extends keyof NumbersOf<E> & string>(
    column: Name,
    selection?: AnySelection<E>,
  ): Promise<AggregateValue<E, Aggregate<'sum', Name>>> {
    return this.#compute(sum(column), selection)
  }

  /** The average of a column over the rows that match, or null without any. */
  async average<Name extends keyof NumbersOf<E> & string>(
    column: Name,
    selection?: AnySelection<E>,
  ): Promise<AggregateValue<E, Aggregate<'average', Name>>> {
    return this.#compute(average(column), selection)
  }

  /** The smallest value of a column in the rows that match, or null without any. */
  async minimum<Name extends OrderedColumnOf<E>>(
    column: Name,
    selection?: AnySelection<E>,
  ): Promise<AggregateValue<E, Aggregate<'minimum', Name>>> {
    return this.#compute(minimum(column), selection)
  }

  /** The largest value of a column in the rows that match, or null without any. */
  async maximum<Name extends OrderedColumnOf<E>>(
    column: Name,
    selection?: AnySelection<E>,
  ): Promise<AggregateValue<E, Aggregate<'maximum', Name>>> {
    return this.#compute(maximum(column), selection)
  }

  /**
   * Computes values for each group of a selection: `aggregate(posts.select().groupBy('shelf'), {
   * books: count(), total: sum('price') })`. Without groups it is one row.
   * @throws InvalidArgumentException for a selection that reads more than groups.
   */
  async aggregate<Columns, const Choices extends Readonly<Record<string, AnyAggregate>>>(
    selection: Selection<E, unknown, OrderKind, Columns>,
    choices: Choices & SoundAggregates<E, Choices>,
  ): Promise<AggregateRow<E, Columns, Choices>[]> {
    const given = checkedSelection('aggregate', this.entity, selection).grouping
    const plan = groupPlan(given.reading, given)
    const rows = await readAggregates(this.surface, this.entity, plan, choices)
    return rows as AggregateRow<E, Columns, Choices>[]
  }

  /** Whether a selection has any rows. */
  async exists(selection?: AnySelection<E>): Promise<boolean> {
    return hasRows(this.surface, this.#reading('exists', selection ?? this.select()))
  }

  /** Inserts a row and returns it as stored. */
  async insert(values: NewRowOf<E>): Promise<RowOf<E>> {
    const query = insertQuery(this.entity, values, this.surface.dialect)
    return typedRow<RowOf<E>>(writtenRow(this.surface, this.entity, query))
  }

  /** Inserts rows, all or none, and returns them in the same order. */
  async insertMany(list: readonly NewRowOf<E>[]): Promise<RowOf<E>[]> {
    const queries = insertQueries(this.entity, list, this.surface.dialect)
    return this.#writtenRows(queries)
  }

  /**
   * Inserts a row or updates the existing one, and returns it. A database whose upsert cannot name
   * the key checks every unique column of the table.
   */
  async upsert(values: NewRowOf<E>, options: UpsertOptions<E>): Promise<RowOf<E>> {
    const query = upsertQuery(this.entity, values, options, this.surface.dialect)
    return typedRow<RowOf<E>>(writtenRow(this.surface, this.entity, query))
  }

  /**
   * Inserts rows or updates the existing ones, all or none, and returns them in the same order.
   * @throws InvalidArgumentException when two rows of the list have the same values of `by`.
   */
  async upsertMany(list: readonly NewRowOf<E>[], options: UpsertOptions<E>): Promise<RowOf<E>[]> {
    const queries = upsertQueries(this.entity, list, options, this.surface.dialect)
    return this.#writtenRows(queries)
  }

  /** Updates the row with this key and returns it, or null if there is none. */
  async update(key: KeyOf<E>, changes: ChangesOf<E>): Promise<RowOf<E> | null> {
    return typedRow<RowOf<E> | null>(updateRow(this.surface, this.entity, key, changes))
  }

  /**
   * Updates all rows that match the conditions and returns their number.
   * @throws InvalidArgumentException without changes, or for a selection with more than conditions.
   */
  async updateAll<Given extends AnySelection<E>, Changes extends ChangesOf<E>>(
    selection: Given & Unsliced<Given>,
    changes: Changes & SomeChanges<E, Changes>,
  ): Promise<number> {
    const conditions = this.#conditions('updateAll', selection)
    return updateRows(this.surface, this.entity, conditions, changes)
  }

  /**
   * Adds amounts to numeric columns of the row with this key, in the database, and returns it, or
   * null if there is none: `increment(id, { views: 1, stock: -2 })`. NULL stays NULL.
   * @throws FrameworkError E_INTEGER_RANGE when a sum does not fit its column.
   */
  async increment(key: KeyOf<E>, amounts: IncrementsOf<E>): Promise<RowOf<E> | null> {
    return typedRow<RowOf<E> | null>(incrementRow(this.surface, this.entity, key, amounts))
  }

  /**
   * Adds amounts to numeric columns of all rows that match the conditions, all or none, and returns
   * their number.
   * @throws FrameworkError E_INTEGER_RANGE when a sum does not fit its column.
   * @throws InvalidArgumentException for a selection with more than conditions.
   */
  async incrementAll<Given extends AnySelection<E>>(
    selection: Given & Unsliced<Given>,
    amounts: IncrementsOf<E>,
  ): Promise<number> {
    const conditions = this.#conditions('incrementAll', selection)
    return incrementRows(this.surface, this.entity, conditions, amounts)
  }

  /**
   * Links rows over a many-to-many relation and returns the keys that were not linked before:
   * `attach(post.id, 'tags', [1, 2])`.
   * @throws FrameworkError E_RELATION when a row does not exist; then nothing is linked.
   */
  async attach<Name extends ManyToManyOf<E>>(
    key: KeyOf<E>,
    relation: Name,
    keys: readonly LinkedKeyOf<E, Name>[],
  ): Promise<readonly LinkedKeyOf<E, Name>[]> {
    const changes = await changeLinks(this.surface, this.entity, 'attach', key, relation, keys)
    return changes.attached
  }

  /** Unlinks these rows, or all of them, and returns the keys that were linked before. */
  async detach<Name extends ManyToManyOf<E>>(
    key: KeyOf<E>,
    relation: Name,
    keys?: readonly LinkedKeyOf<E, Name>[],
  ): Promise<readonly LinkedKeyOf<E, Name>[]> {
    const changes = await changeLinks(this.surface, this.entity, 'detach', key, relation, keys)
    return changes.detached
  }

  /**
   * Links exactly these rows, and unlinks all others, in one step. Of concurrent calls the last one
   * wins as a whole.
   * @throws FrameworkError E_RELATION when a row does not exist; then nothing changes.
   */
  async sync<Name extends ManyToManyOf<E>>(
    key: KeyOf<E>,
    relation: Name,
    keys: readonly LinkedKeyOf<E, Name>[],
  ): Promise<BridgeChanges<LinkedKeyOf<E, Name>>> {
    return changeLinks(this.surface, this.entity, 'sync', key, relation, keys)
  }

  /**
   * Deletes the row with this key and returns whether there was one. With a soft delete it is only
   * hidden.
   */
  async delete(key: KeyOf<E>): Promise<boolean> {
    const isKey = hasKey(this.entity, key, this.surface.dialect)
    return (await deleteRows(this.surface, this.entity, isKey)) > 0
  }

  /**
   * Deletes all rows that match the conditions and returns their number.
   * @throws InvalidArgumentException for a selection with more than conditions.
   */
  async deleteAll<Given extends AnySelection<E>>(
    selection: Given & Unsliced<Given>,
  ): Promise<number> {
    const conditions = this.#conditions('deleteAll', selection)
    return deleteRows(this.surface, this.entity, conditions)
  }

  /**
   * Makes a deleted row visible again and returns whether there was one with this key.
   * @throws InvalidArgumentException for an entity without soft delete.
   */
  async restore(key: KeyOf<E> & SoftDeletedKey<E>): Promise<boolean> {
    return restoreRow(this.surface, this.entity, key)
  }

  /** Removes the row with this key, deleted or not, and returns whether there was one. */
  async deleteForever(key: KeyOf<E>): Promise<boolean> {
    const isKey = hasKey(this.entity, key, this.surface.dialect)
    return (await removeRows(this.surface, this.entity, isKey)) > 0
  }

  /**
   * Removes all rows that match the conditions and returns their number:
   * `deleteAllForever(posts.select().onlyDeleted().filter('deletedAt', Operators.Less, lastYear))`.
   * @throws InvalidArgumentException for a selection with more than conditions.
   */
  async deleteAllForever<Given extends AnySelection<E>>(
    selection: Given & Unsliced<Given>,
  ): Promise<number> {
    const conditions = this.#conditions('deleteAllForever', selection)
    return removeRows(this.surface, this.entity, conditions)
  }

  /**
   * Sends the queries of one page; pass the result to `hydrate` or `Awaiting.hydrate`. The
   * selection is not changed; the scope narrows a copy.
   * @throws InvalidArgumentException for invalid arguments, before anything is sent.
   */
  paginate<Loaded = unknown, M extends Modes = Modes, Columns = RowOf<E>>(
    selection?: Selection<E, Loaded, OrderIn<M>, Columns> | null,
    pagination?: Pagination<M> | null,
    scope?: Scope<E> | null,
  ): Paginated<SelectedRow<Loaded, Columns>> {
    return startPagination(this.entity, this.surface, selection, pagination, scope)
  }

  /**
   * The page of an operation, without waiting.
   * @throws BridgeError where it could have to wait; `Awaiting.hydrate` and `page` wait.
   */
  hydrate<Row>(operation: Paginated<Row>): Mapped<Row> {
    refuseOther(this.entity, operation)
    return hydratePagination(operation)
  }

  /** Fetches one page. */
  async page<Loaded = unknown, M extends Modes = Modes, Columns = RowOf<E>>(
    selection?: Selection<E, Loaded, OrderIn<M>, Columns> | null,
    pagination?: Pagination<M> | null,
    scope?: Scope<E> | null,
  ): Promise<Mapped<SelectedRow<Loaded, Columns>>> {
    return pageOf(this.entity, this.surface, selection, pagination, scope)
  }

  /** Iterates over all rows of a selection, read in pages by a cursor. */
  walk<Loaded = unknown, Columns = RowOf<E>>(
    selection: Selection<E, Loaded, OrderKind, Columns> | null,
    options: WalkOptions<E> & { readonly nulls: true },
  ): AsyncGenerator<SelectedRow<Loaded, Columns>, void, undefined>
  walk<Loaded = unknown, Columns = RowOf<E>>(
    selection?: Selection<E, Loaded, 'exact', Columns> | null,
    options?: WalkOptions<E>,
  ): AsyncGenerator<SelectedRow<Loaded, Columns>, void, undefined>
  walk<Loaded = unknown, Columns = RowOf<E>>(
    selection?: Selection<E, Loaded, OrderKind, Columns> | null,
    options?: WalkOptions<E>,
  ): AsyncGenerator<SelectedRow<Loaded, Columns>, void, undefined> {
    return walkOver(this.entity, this.surface, selection, options)
  }

  async #compute<A extends Aggregate<AggregateKind, string>>(
    aggregate: A,
    selection: AnySelection<E> = this.select(),
  ): Promise<AggregateValue<E, A>> {
    const plan = plainGroups(this.#reading(aggregate.kind, selection).plan)
    const choices = { value: aggregate }
    const [row] = await readAggregates(this.surface, this.entity, plan, choices)
    return row?.['value'] as AggregateValue<E, A>
  }

  async #writtenRows(queries: Iterable<Query>): Promise<RowOf<E>[]> {
    return (await writtenRows(this.surface, this.entity, queries)) as RowOf<E>[]
  }

  #conditions(call: string, selection: AnySelection<E>): readonly Condition[] {
    return conditionsOnly(call, this.#reading(call, selection))
  }

  #reading(call: string, selection: AnySelection<E>): Reading {
    return checkedSelection(call, this.entity, selection).reading
  }
}

function typedRow<Row>(row: Soon<PlainRow | null>): Soon<Row> {
  return row as Soon<Row>
}
