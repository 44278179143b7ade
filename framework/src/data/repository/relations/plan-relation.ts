import { FrameworkError } from '../../../base/errors.ts'
import type { Result } from '../../database/operation.ts'
import type { Dialect } from '../../sql/dialects/dialect.ts'
import type { Query } from '../../sql/plan/query.ts'
import { reader } from '../../sql/values/reader.ts'
import type { AnyEntity } from '../entity/entity.ts'
import { hydrateRows, rawRows } from '../rows/hydrate-rows.ts'
import type { PlainRow } from '../rows/hydrate-rows.ts'
import { keyLists } from './key-lists.ts'
import { relationLink } from './relation-link.ts'
import type { RelationLink } from './relation-link.ts'

/** The loading of one relation: its queries, and how to process their results. */
export interface RelationLoad {
  readonly queries: readonly Query[]
  /** Takes the result of one query. */
  collect(result: Result): void
  /** Puts the related rows onto the rows, after all results. */
  attach(): void
}

type Related = Map<unknown, PlainRow[]>

/**
 * Plans the queries that load one relation. Rows that refer to the same row share it. Keys are
 * compared exactly, even if the database compares text case-insensitively.
 * @throws InvalidArgumentException when the relation is defined incorrectly.
 */
export function planRelation(
  entity: AnyEntity,
  name: string,
  rows: readonly PlainRow[],
  dialect: Dialect,
): RelationLoad {
  const link = relationLink(entity, name)
  const related: Related = new Map()
  const lists = keyLists(valuesOf(rows, link.from), dialect)
  return {
    queries: lists.map((values) => link.query(values, dialect)),
    collect: (result) => collect(related, link, result, dialect),
    attach: () => attach(entity, name, rows, link.from, related),
  }
}

function valuesOf(rows: readonly PlainRow[], property: string): Set<unknown> {
  const values = new Set<unknown>()
  for (const row of rows) values.add(row[property])
  values.delete(null)
  return values
}

function collect(related: Related, link: RelationLink, result: Result, dialect: Dialect): void {
  const raws = rawRows(result)
  const rows = hydrateRows(link.target.columns, dialect, raws)
  const read = reader(link.owner, dialect)
  for (const [index, row] of rows.entries()) {
    const owner = read(raws[index]?.[link.position])
    const others = related.get(owner)
    if (others === undefined) related.set(owner, [row])
    else others.push(row)
  }
}

function attach(
  entity: AnyEntity,
  name: string,
  rows: readonly PlainRow[],
  from: string,
  related: Related,
): void {
  const { kind, isNullable } = entity.relation(name)
  const isList = kind === 'has-many' || kind === 'many-to-many'
  for (const row of rows) {
    const found = related.get(row[from])
    if (isList) row[name] = found ?? []
    else if (found !== undefined || isNullable) row[name] = found?.[0] ?? null
    else throw missing(entity, name, row[from])
  }
}

function missing(entity: AnyEntity, name: string, value: unknown): FrameworkError {
  const { table } = entity.target(name)
  return new FrameworkError(
    'E_RELATION',
    `${entity.table}.${name} refers to ${table} ${String(value)}, which does not exist; declare it nullable() if that can happen`,
  )
}
