import { Steps } from '../../activity/steps.ts'
import type { Surface } from '../../database/surface.ts'
import { FrameworkError } from '../../base/errors.ts'
import type { Result } from '../../database/operation.ts'
import type { Dialect } from '../../database/sql/dialects/dialect.ts'
import type { Query } from '../../database/sql/plan/statement.ts'
import type { SelectPlan } from '../../database/sql/plan/select-plan.ts'
import { reader } from '../../database/sql/values/column-readers.ts'
import { plainReading } from '../reading.ts'
import type { Reading, RelationRead } from '../reading.ts'
import { rawRows, readColumns, rowBatch } from '../rows/hydrate-rows.ts'
import type { PlainRow, RawRow, ReadColumns, RowBatch } from '../rows/hydrate-rows.ts'
import type { AnyEntity, EntityColumn } from '../entity/entity.ts'
import { completeOrder } from '../pagination/complete-order.ts'
import { relatedCounts, relatedRows } from './related-query.ts'
import { relationLink } from './relation-link.ts'
import type { RelationLink } from './relation-link.ts'

/**
 * Loads relations onto rows, and relations of those, with one query each whatever the number of
 * rows, or more if there are too many keys for one statement. The queries run concurrently on a
 * pool, sequentially on a transaction.
 * @throws FrameworkError when a referenced row is missing.
 */
export async function loadRelations(
  surface: Surface,
  batch: RowBatch,
  relations: readonly RelationRead[],
): Promise<void> {
  if (relations.length === 0) return
  const loads = relations.map((read) => planRelation(batch, read, surface.dialect))
  // Several relations to the same entity repeat a statement.
  await Steps.Instance.continuing(async () => {
    if (surface.serial) for (const load of loads) await run(surface, load)
    else await Promise.all(loads.map((load) => run(surface, load)))
  })
}

/** The same without waiting, for synchronous surfaces. */
export function loadRelationsSync(
  surface: Surface,
  batch: RowBatch,
  relations: readonly RelationRead[],
): void {
  for (const read of relations) {
    const load = planRelation(batch, read, surface.dialect)
    for (const query of load.queries) {
      load.collect(Steps.Instance.continuing(() => surface.dispatch(query)).result)
    }
    load.attach()
    if (load.relations.length > 0) loadRelationsSync(surface, load.related(), load.relations)
  }
}

async function run(surface: Surface, load: RelationLoad): Promise<void> {
  for (const query of load.queries) load.collect(await surface.run(query))
  load.attach()
  if (load.relations.length > 0) await loadRelations(surface, load.related(), load.relations)
}

/** The loading of one relation: its queries, and how to process their results. */
interface RelationLoad {
  readonly queries: readonly Query[]
  /** Takes the result of one query. */
  collect(result: Result): void
  /** Puts what was found onto the rows, after all results. */
  attach(): void
  /** The relations to load with the related rows. */
  readonly relations: readonly RelationRead[]
  /** The related rows, after all results. */
  related(): RowBatch
}

/**
 * Plans the queries that load or count one relation. Rows that refer to the same row share it. Keys
 * are compared exactly, even if the database compares text case-insensitively.
 * @throws InvalidArgumentException when the relation is defined incorrectly.
 */
function planRelation(batch: RowBatch, read: RelationRead, dialect: Dialect): RelationLoad {
  const link = relationLink(batch.entity, read.relation)
  const reading = read.reading ?? plainReading(link.target)
  const owners = batch.valuesOf(link.from)
  const keys = new Set(owners)
  keys.delete(null)
  const lists = keyLists(keys, dialect)
  const load = { batch, read, link, reading, owners, lists, dialect }
  return read.kind === 'count' ? planCount(load) : planRows(load)
}

interface PlannedRelation {
  readonly batch: RowBatch
  readonly read: RelationRead
  readonly link: RelationLink
  readonly reading: Reading
  /** The value of each row that is looked up. */
  readonly owners: readonly unknown[]
  readonly lists: readonly (readonly unknown[])[]
  readonly dialect: Dialect
}

function planCount(load: PlannedRelation): RelationLoad {
  const { batch, read, link, reading, owners, lists, dialect } = load
  const counts = new Map<unknown, number>()
  const readOwner = reader(link.owner, dialect)
  return {
    queries: lists.map((values) => relatedCounts(link, reading.plan, values, dialect)),
    collect: (result) => {
      for (const [owner, count] of rawRows(result)) counts.set(readOwner(owner), Number(count))
    },
    attach: () => {
      for (const [index, row] of batch.rows.entries()) {
        row[read.property] = counts.get(owners[index]) ?? 0
      }
    },
    relations: [],
    related: () => rowBatch(link.target, readColumns([], []), [], dialect),
  }
}

function planRows(load: PlannedRelation): RelationLoad {
  const { link, reading, lists, dialect } = load
  const orderings = completeOrder(reading.plan.orderings, link.target)
  const columns = relatedColumns(link, reading, orderings)
  const plan = { ...reading.plan, orderings, columns: columns.read }
  const ownerAt = link.bridge === null ? columns.read.indexOf(link.owner) : columns.read.length
  const readOwner = reader(link.owner, dialect)
  const found = new Map<unknown, PlainRow[]>()
  const batches: RowBatch[] = []
  return {
    queries: lists.map((values) => relatedRows(link, plan, values, dialect)),
    collect: (result) => {
      const raws = rawRows(result)
      const batch = rowBatch(link.target, columns, raws, dialect)
      batches.push(batch)
      group(found, batch, raws, (raw) => readOwner(raw[ownerAt]))
    },
    attach: () => attach(load, found),
    relations: reading.relations,
    related: () => joined(link.target, batches),
  }
}

// Besides what the rows show: the value they belong to, and what their own relations look up. The
// order of ranked rows is applied outside the ranking, where only read columns are known.
function relatedColumns(
  { target, owner, bridge }: RelationLink,
  { columns, relations, plan: { limit, offset } }: Reading,
  orderings: SelectPlan['orderings'],
): ReadColumns {
  const needed: EntityColumn[] = bridge === null ? [owner] : []
  for (const { relation } of relations) needed.push(relationLink(target, relation).from)
  if (limit !== null || offset > 0) {
    needed.push(...target.columns.filter((own) => orderings.some(({ column }) => column === own)))
  }
  return readColumns(columns, needed)
}

function group(
  found: Map<unknown, PlainRow[]>,
  { rows }: RowBatch,
  raws: readonly RawRow[],
  ownerOf: (raw: RawRow) => unknown,
): void {
  for (const [index, raw] of raws.entries()) {
    const row = rows[index]
    if (row === undefined) continue
    const owner = ownerOf(raw)
    const others = found.get(owner)
    if (others === undefined) found.set(owner, [row])
    else others.push(row)
  }
}

function attach(
  { batch, read: { relation, property }, owners }: PlannedRelation,
  related: ReadonlyMap<unknown, PlainRow[]>,
): void {
  const { kind, isNullable } = batch.entity.relation(relation)
  const isList = kind === 'has-many' || kind === 'many-to-many'
  for (const [index, row] of batch.rows.entries()) {
    const owner = owners[index]
    const found = related.get(owner)
    if (isList) row[property] = found ?? []
    else if (found !== undefined || isNullable) row[property] = found?.[0] ?? null
    else throw missing(batch.entity, relation, owner)
  }
}

function joined(entity: AnyEntity, batches: readonly RowBatch[]): RowBatch {
  const [only] = batches
  if (only !== undefined && batches.length === 1) return only
  return {
    entity,
    rows: batches.flatMap(({ rows }) => rows),
    valuesOf: (column) => batches.flatMap((batch) => batch.valuesOf(column)),
  }
}

function missing(entity: AnyEntity, name: string, value: unknown): FrameworkError {
  const { table, undeleted } = entity.target(name)
  const reason =
    undeleted.length === 0
      ? 'does not exist; declare it nullable() if that can happen'
      : `does not exist or is deleted; declare it nullable(), or load it with({ ${name}: (row) => row.withDeleted() })`
  return new FrameworkError(
    'E_RELATION',
    `${entity.table}.${name} refers to ${table} ${String(value)}, which ${reason}`,
  )
}

/**
 * Splits keys into lists that one statement can bind. Each list is padded to a power of two with
 * its last key, so that any number of keys needs only a few different statements, which stay
 * prepared.
 */
export function keyLists(keys: Iterable<unknown>, { maxParameters }: Dialect): unknown[][] {
  const maxKeys = 2 ** Math.floor(Math.log2(maxParameters))
  const lists: unknown[][] = []
  let list: unknown[] = []
  for (const key of keys) {
    if (list.length === 0) lists.push(list)
    list.push(key)
    if (list.length === maxKeys) list = []
  }
  fillUp(list)
  return lists
}

function fillUp(list: unknown[]): void {
  if (list.length === 0) return
  const last = list.at(-1)
  const size = 2 ** Math.ceil(Math.log2(list.length))
  while (list.length < size) list.push(last)
}
