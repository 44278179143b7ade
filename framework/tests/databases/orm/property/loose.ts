import type { AnyEntity } from '../../../../src/orm/entity/entity.ts'
import type { Pagination } from '../../../../src/orm/pagination/pagination.ts'
import { Repository } from '../../../../src/orm/repository.ts'
import type { Database } from '../../../../src/database/surface.ts'
import type {
  Matches,
  Nulls,
  Operators,
  Orders,
} from '../../../../src/database/sql/plan/operators.ts'
import type { Row } from './world.ts'

/** Narrows a selection, as the functions that `either` and the like take. */
export type LooseScope = (selection: LooseSelection) => unknown

/** `Selection` for an entity whose columns are known only at run time. */
export interface LooseSelection {
  filter(column: string, operator: Operators, ...value: readonly unknown[]): this
  match(column: string, match: Matches, text: string): this
  either(...branches: readonly LooseScope[]): this
  order(order: Orders, column: string, nulls?: Nulls): this
  with(choice: string | Readonly<Record<string, LooseScope>>): this
  withCount(choice: string | Readonly<Record<string, LooseScope>>): this
  has(relation: string, narrow?: LooseScope): this
  hasNone(relation: string, narrow?: LooseScope): this
  only(...columns: readonly string[]): this
  distinct(): this
  groupBy(...columns: readonly string[]): this
  having(aggregate: unknown, operator: Operators, ...value: readonly unknown[]): this
  limit(rows: number): this
  offset(rows: number): this
}

/** `Repository` for such an entity. */
export interface LooseRepository {
  select(): LooseSelection
  all(selection: LooseSelection): Promise<Row[]>
  first(selection: LooseSelection): Promise<Row | null>
  count(selection: LooseSelection): Promise<number>
  exists(selection: LooseSelection): Promise<boolean>
  aggregate(selection: LooseSelection, choices: Row): Promise<Row[]>
  page(
    selection: LooseSelection,
    pagination: Pagination,
  ): Promise<{ readonly items: Iterable<Row> }>
  walk(selection: LooseSelection, options: { readonly size: number }): AsyncIterable<Row>
  insertMany(rows: readonly Row[]): Promise<Row[]>
  update(key: unknown, changes: Row): Promise<Row | null>
  updateAll(selection: LooseSelection, changes: Row): Promise<number>
  deleteAll(selection: LooseSelection): Promise<number>
  upsertMany(rows: readonly Row[], options: { readonly by: readonly string[] }): Promise<Row[]>
  increment(key: unknown, amounts: Row): Promise<Row | null>
  incrementAll(selection: LooseSelection, amounts: Row): Promise<number>
}

/** The repository of an entity. */
export function looseRepository(entity: AnyEntity, database: Database): LooseRepository {
  const repository: unknown = new Repository(entity, database)
  if (isLooseRepository(repository)) return repository
  throw new TypeError('unreachable: this is a repository')
}

function isLooseRepository(repository: unknown): repository is LooseRepository {
  return repository instanceof Repository
}
