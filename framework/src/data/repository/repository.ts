import { InvalidArgumentException } from '../../base/errors.ts'
import type { Surface } from '../database/surface.ts'
import type { SelectPlan } from '../sql/plan/select-plan.ts'
import type { AnyEntity } from './entity/entity.ts'
import { hydratePagination } from './pagination/hydrate-pagination.ts'
import { insertQueries, insertQuery } from './rows/insert-queries.ts'
import { loadedRow, loadedRows } from './rows/loaded-rows.ts'
import type { Mapped } from './pagination/mapped.ts'
import type { Modes } from './pagination/modes.ts'
import { pageOf } from './pagination/page-of.ts'
import { startPagination } from './pagination/paginate.ts'
import type { Paginated } from './pagination/paginated.ts'
import type { Pagination } from './pagination/pagination.ts'
import { countRows, findRow, firstByOrder, hasKey, hasRows, readRows } from './rows/read-rows.ts'
import type { ChangesOf, KeyOf, LoadedRow, NewRowOf, RowOf } from './entity/row.ts'
import { Selection } from './selection.ts'
import type { OrderKind, Scope } from './selection.ts'
import { upsertQuery } from './rows/upsert-query.ts'
import type { UpsertOptions } from './rows/upsert-query.ts'
import { walkOver } from './pagination/walk.ts'
import type { WalkOptions } from './pagination/walk.ts'
import {
  conditionsAlone,
  deleteRows,
  updateRow,
  updateRows,
  writtenRow,
  writtenRows,
} from './rows/write-rows.ts'

/** The order a selection may have: a cursor walks over columns without NULL only. */
export type OrderIn<M extends Modes> = [M] extends ['cursor'] ? 'exact' : OrderKind

/**
 * The rows of one entity on one surface. Values are checked before anything is sent; what a
 * statement fails with is a `DatabaseError`.
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

  /** A selection of every row, to be narrowed. */
  select(): Selection<E> {
    return new Selection(this.entity, this.surface.dialect)
  }

  /** The row with this key, or null. */
  async find(key: KeyOf<E>): Promise<RowOf<E> | null> {
    const row = await findRow(this.surface, this.entity, hasKey(this.entity, key, this.surface))
    return row === null ? null : loadedRow(this.entity, row)
  }

  /** The first row of a selection, or null. Without an order it is the one with the lowest key. */
  async first<Loaded extends string = never>(
    selection?: Selection<E, Loaded, OrderKind>,
  ): Promise<LoadedRow<E, Loaded> | null> {
    const plan = firstByOrder(this.entity, this.#plan(selection))
    const rows = await readRows(this.surface, this.entity, plan, selection?.relations ?? [])
    return loadedRows<E, Loaded>(this.entity, rows)[0] ?? null
  }

  /** The rows of a selection, with the relations it names. */
  async all<Loaded extends string = never>(
    selection?: Selection<E, Loaded, OrderKind>,
  ): Promise<LoadedRow<E, Loaded>[]> {
    const plan = this.#plan(selection)
    const rows = await readRows(this.surface, this.entity, plan, selection?.relations ?? [])
    return loadedRows(this.entity, rows)
  }

  /** How many rows fulfil the conditions; order, limit, offset and seek do not count. */
  async count(selection?: Selection<E, string, OrderKind>): Promise<number> {
    return countRows(this.surface, this.#plan(selection))
  }

  /** Whether a selection has any row. */
  async exists(selection?: Selection<E, string, OrderKind>): Promise<boolean> {
    return hasRows(this.surface, this.entity, this.#plan(selection))
  }

  /** Writes a new row and gives it back as the database has it now. */
  async insert(values: NewRowOf<E>): Promise<RowOf<E>> {
    const query = insertQuery(this.entity, values, this.surface.dialect)
    return loadedRow(this.entity, await writtenRow(this.surface, this.entity, query))
  }

  /** Writes new rows, all or none, and gives them back in the order of the list. */
  async insertMany(list: readonly NewRowOf<E>[]): Promise<RowOf<E>[]> {
    const queries = insertQueries(this.entity, list, this.surface.dialect)
    return loadedRows(this.entity, await writtenRows(this.surface, this.entity, queries))
  }

  /**
   * Writes a new row, or changes the one that exists, and gives it back. A database that cannot be
   * told which key is meant looks at every unique column of the table.
   */
  async upsert(values: NewRowOf<E>, options: UpsertOptions<E>): Promise<RowOf<E>> {
    const query = upsertQuery(this.entity, values, options, this.surface.dialect)
    return loadedRow(this.entity, await writtenRow(this.surface, this.entity, query))
  }

  /** Changes the row with this key and gives it back, or null when there is none. */
  async update(key: KeyOf<E>, changes: ChangesOf<E>): Promise<RowOf<E> | null> {
    const row = await updateRow(this.surface, this.entity, key, changes)
    return row === null ? null : loadedRow(this.entity, row)
  }

  /**
   * Changes every row that fulfils the conditions and tells how many there were.
   * @throws InvalidArgumentException without changes, or for a selection that is more than conditions.
   */
  async updateAll(
    selection: Selection<E, string, OrderKind>,
    changes: ChangesOf<E>,
  ): Promise<number> {
    const conditions = conditionsAlone('updateAll', this.#plan(selection), selection.relations)
    return updateRows(this.surface, this.entity, conditions, changes)
  }

  /** Deletes the row with this key and tells whether there was one. */
  async delete(key: KeyOf<E>): Promise<boolean> {
    const isKey = hasKey(this.entity, key, this.surface)
    return (await deleteRows(this.surface, this.entity, [isKey])) > 0
  }

  /**
   * Deletes every row that fulfils the conditions and tells how many there were.
   * @throws InvalidArgumentException for a selection that is more than conditions.
   */
  async deleteAll(selection: Selection<E, string, OrderKind>): Promise<number> {
    const conditions = conditionsAlone('deleteAll', this.#plan(selection), selection.relations)
    return deleteRows(this.surface, this.entity, conditions)
  }

  /**
   * Sends what one page needs, to be handed to `hydrate` or `Awaiting.hydrate`. The selection stays
   * as it is; the scope narrows a copy.
   * @throws InvalidArgumentException, before anything is sent, when something asked for cannot be.
   */
  paginate<Loaded extends string = never, M extends Modes = Modes>(
    selection?: Selection<E, Loaded, OrderIn<M>> | null,
    pagination?: Pagination<M> | null,
    scope?: Scope<E> | null,
  ): Paginated<LoadedRow<E, Loaded>> {
    return startPagination(this.entity, this.surface, selection, pagination, scope)
  }

  /**
   * The page of an operation, without waiting.
   * @throws BridgeError where that could need a wait; `Awaiting.hydrate` and `page` wait.
   */
  hydrate<Row>(operation: Paginated<Row>): Mapped<Row> {
    this.#refuseOther('operation', operation.request.entity)
    return hydratePagination(operation)
  }

  /** One page, waited for. */
  async page<Loaded extends string = never, M extends Modes = Modes>(
    selection?: Selection<E, Loaded, OrderIn<M>> | null,
    pagination?: Pagination<M> | null,
    scope?: Scope<E> | null,
  ): Promise<Mapped<LoadedRow<E, Loaded>>> {
    return pageOf(this.entity, this.surface, selection, pagination, scope)
  }

  /** Every row of a selection, one by one, read in pages by a cursor. */
  walk<Loaded extends string = never>(
    selection?: Selection<E, Loaded> | null,
    options?: WalkOptions<E>,
  ): AsyncGenerator<LoadedRow<E, Loaded>, void, undefined> {
    return walkOver(this.entity, this.surface, selection, options)
  }

  #plan(selection: Selection<E, string, OrderKind> = this.select()): SelectPlan {
    this.#refuseOther('selection', selection.entity)
    return selection.plan()
  }

  #refuseOther(what: string, entity: AnyEntity): void {
    if (entity === this.entity) return
    throw new InvalidArgumentException(
      'E_INVALID_ARGUMENT',
      `the ${what} is one of ${entity.table}, the repository one of ${this.entity.table}`,
    )
  }
}
