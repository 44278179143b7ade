import assert from 'node:assert/strict'
import { inspect } from 'node:util'
import { Modes, Pagination } from '../../../../src/orm/pagination/pagination.ts'
import type { Choices } from './choices.ts'
import { makeConditions } from './conditions.ts'
import { asText } from './kinds.ts'
import { holdsAll, relatedRows, sorted } from './model.ts'
import { PlainSql } from './plain-sql.ts'
import {
  applyConditions,
  isOrdered,
  isWalkable,
  makeOnly,
  makeOrders,
  makeRead,
  makeRelations,
  selectionOf,
} from './reads.ts'
import type { ReadSpec, RelationRead } from './reads.ts'
import { plainRows } from './stage.ts'
import type { Stage } from './stage.ts'
import { columnOf, visibleRows } from './world.ts'
import type { ColumnSpec, Row } from './world.ts'

// More than a walk over so few rows can have.
const maxPages = 20

/** `all`, `first`, `count` and `exists` of a random selection. */
export async function checkRead(stage: Stage, choices: Choices): Promise<void> {
  const read = makeRead(choices, stage.tables)
  await explained(stage, read, async () => {
    const { limit, offset } = read
    const found = foundRows(stage, read)
    const expected = found.slice(offset, limit === null ? undefined : offset + limit)
    const repository = stage.repository(read.table)
    const selection = selectionOf(repository, read)
    const rows = await repository.all(selection)
    assert.deepEqual(
      rows,
      expected.map((row) => withRelations(stage, row, read)),
    )
    assert.deepEqual(keysOf(expected), await plainKeys(stage, read))
    for (const row of expected.slice(0, 2)) await checkRelated(stage, row, read.relations)
    assert.deepEqual((await repository.first(selection)) ?? undefined, rows[0])
    assert.equal(await repository.count(selection), found.length)
    assert.equal(await plainCount(stage, read), found.length)
    assert.equal(await repository.exists(selection), expected.length > 0)
  })
}

/** Some columns of all rows, each combination of values once. */
export async function checkDistinct(stage: Stage, choices: Choices): Promise<void> {
  const table = choices.pick(stage.tables)
  const conditions = makeConditions(choices, table, 2)
  const some = choices.some(table.columns.filter(isOrdered), 3)
  const only = some.length === 0 ? [columnOf(table, 'id')] : some
  // All columns are no choice: whole rows are refused.
  if (only.length === table.columns.length) return
  const orders = only.map((column) => ({ column, order: 'asc', nulls: 'first' }) as const)
  await explained(stage, { table: table.name, conditions, only }, async () => {
    const rows = sorted(
      visibleRows(table).filter((row) => holdsAll(conditions, row)),
      orders,
      stage.database.dialect.name,
    ).map((row) => pickedFrom(row, only))
    const expected = [...new Map(rows.map((row) => [inspect(row), row])).values()]
    const repository = stage.repository(table)
    const selection = repository.select().only(...only.map(({ property }) => property))
    applyConditions(selection.distinct(), conditions)
    for (const { column, order, nulls } of orders) selection.order(order, column.property, nulls)
    assert.deepEqual(await repository.all(selection), expected)
    assert.equal(await repository.count(selection), expected.length)
  })
}

/** Every page by number, with totals. */
export async function checkNumbered(stage: Stage, choices: Choices): Promise<void> {
  const read = { ...makeRead(choices, stage.tables), limit: null, offset: 0 }
  const limit = 1 + choices.number(4)
  const deferred = choices.chance(30) ? 1 : undefined
  await explained(stage, { ...read, limit }, async () => {
    const expected = foundRows(stage, read).map((row) => withRelations(stage, row, read))
    const pages = Math.ceil(expected.length / limit)
    const repository = stage.repository(read.table)
    for (let page = 1; page <= pages + 1; page += 1) {
      const pagination = new Pagination({ limit, page, deferred })
      const { items } = await repository.page(selectionOf(repository, read), pagination)
      assert.deepEqual([...items], expected.slice((page - 1) * limit, page * limit))
      const { total, pages: count, more } = pagination
      assert.deepEqual([total, count, more], [expected.length, pages, page < pages])
    }
  })
}

/** A walk by cursors, forth and back, and by the iterator. */
export async function checkCursor(stage: Stage, choices: Choices): Promise<void> {
  const table = choices.pick(stage.tables)
  const orders = makeOrders(choices, table, table.columns.filter(isWalkable))
  const conditions = makeConditions(choices, table, 2)
  const size = 1 + choices.number(3)
  const nested = { ...makeRelations(choices, table, 0), only: makeOnly(choices, table) }
  const read: ReadSpec = { table, conditions, orders, ...nested, limit: null, offset: 0 }
  await explained(stage, { ...read, limit: size }, async () => {
    const expected = foundRows(stage, read).map((row) => withRelations(stage, row, read))
    const repository = stage.repository(table)
    const forth: unknown[] = []
    let pagination: Pagination = new Pagination({ mode: Modes.Cursor, limit: size, backward: true })
    for (let page = 0; ; page += 1) {
      assert.ok(page < maxPages, 'the walk does not end')
      forth.push(...(await repository.page(selectionOf(repository, read), pagination)).items)
      if (pagination.next === null) break
      pagination = new Pagination({ cursor: pagination.next, limit: size, backward: true })
    }
    assert.deepEqual(forth, expected)
    const last = expected.length - (expected.length % size || size)
    const back: unknown[] = []
    for (let before = pagination.previous; before !== null; before = pagination.previous) {
      assert.ok(back.length <= expected.length, 'the walk back does not end')
      pagination = new Pagination({ before, limit: size })
      back.unshift(...(await repository.page(selectionOf(repository, read), pagination)).items)
    }
    assert.deepEqual(back, expected.slice(0, Math.max(0, last)))
    const walked: unknown[] = []
    for await (const row of repository.walk(selectionOf(repository, read), { size })) {
      assert.ok(walked.push(row) <= expected.length, 'the iterator does not end')
    }
    assert.deepEqual(walked, expected)
  })
}

/** The rows of the model that a read finds, before its limit. */
function foundRows({ database }: Stage, { table, conditions, orders }: ReadSpec): readonly Row[] {
  const rows = visibleRows(table).filter((row) => holdsAll(conditions, row))
  return sorted(rows, orders, database.dialect.name)
}

/** A row of the model with its relations and their counts, down to the last. */
function withRelations(
  stage: Stage,
  row: Row,
  { relations, counts, only }: Pick<ReadSpec, 'relations' | 'counts' | 'only'>,
): Row {
  const loaded = relations.map((read) => {
    const { kind, name } = read.relation
    const related = foundRelated(stage, row, read).map((one) => withRelations(stage, one, read))
    const isList = kind === 'has-many' || kind === 'many-to-many'
    return [name, isList ? related : (related[0] ?? null)]
  })
  const counted = counts.map(({ relation, conditions }) => [
    `${relation.name}Count`,
    relatedRows(relation, row).filter((one) => holdsAll(conditions, one)).length,
  ])
  const own = only === null ? row : pickedFrom(row, only)
  return { ...own, ...Object.fromEntries([...loaded, ...counted]) }
}

/** Some columns of a row. */
export function pickedFrom(row: Row, columns: readonly ColumnSpec[]): Row {
  return Object.fromEntries(columns.map(({ property }) => [property, row[property]]))
}

/** The related rows of the model that a relation loads. */
function foundRelated({ database }: Stage, row: Row, read: RelationRead): readonly Row[] {
  const { relation, conditions, orders, limit, offset } = read
  const rows = relatedRows(relation, row).filter((one) => holdsAll(conditions, one))
  const inOrder = orders.length === 0 ? rows : sorted(rows, orders, database.dialect.name)
  return inOrder.slice(offset, limit === null ? undefined : offset + limit)
}

/** Compares what the model says about the relations of one row with one statement for each. */
async function checkRelated(stage: Stage, row: Row, reads: readonly RelationRead[]): Promise<void> {
  const plain = new PlainSql(stage.database.dialect)
  for (const read of reads) {
    const { relation, conditions, limit, offset } = read
    const key = { column: columnOf(relation.target, 'id'), order: 'asc', nulls: null } as const
    const orders = read.orders.length === 0 ? [key] : read.orders
    const rows = await plainRows(
      stage,
      `SELECT t.id FROM ${plain.quote(relation.target.name)} t` +
        ` WHERE ${plain.isRelated(relation, row, 't')} AND ${plain.isVisible(relation.target, 't')}` +
        ` AND ${plain.all(conditions, 't')}` +
        ` ORDER BY ${plain.order(orders, 't')}${plain.limit(limit, offset)}`,
    )
    assert.deepEqual(
      keysOf(foundRelated(stage, row, read)),
      rows.map(([id]) => id ?? ''),
    )
  }
}

async function plainKeys(stage: Stage, read: ReadSpec): Promise<readonly string[]> {
  const plain = new PlainSql(stage.database.dialect)
  const { table, conditions, orders, limit, offset } = read
  const rows = await plainRows(
    stage,
    `SELECT t.id FROM ${plain.quote(table.name)} t WHERE ${plain.isVisible(table, 't')} AND ${plain.all(conditions, 't')}` +
      ` ORDER BY ${plain.order(orders, 't')}${plain.limit(limit, offset)}`,
  )
  return rows.map(([id]) => id ?? '')
}

async function plainCount(stage: Stage, { table, conditions }: ReadSpec): Promise<number> {
  const plain = new PlainSql(stage.database.dialect)
  const rows = await plainRows(
    stage,
    `SELECT COUNT(*) FROM ${plain.quote(table.name)} t WHERE ${plain.isVisible(table, 't')} AND ${plain.all(conditions, 't')}`,
  )
  return Number(rows[0]?.[0])
}

function keysOf(rows: readonly Row[]): readonly string[] {
  return rows.map(({ id }) => asText(id))
}

/** Runs a check; when it fails, the message says what was read from which tables. */
export async function explained(
  stage: Stage,
  read: object,
  check: () => Promise<void>,
): Promise<void> {
  try {
    await check()
  } catch (error) {
    const description = inspect({ read, tables: stage.tables }, { depth: 5, breakLength: 120 })
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(`${stage.database.dialect.name}: ${reason}\n${description}`, { cause: error })
  }
}
