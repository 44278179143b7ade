import assert from 'node:assert/strict'
import { explained } from './checks.ts'
import type { Choices } from './choices.ts'
import { makeConditions } from './conditions.ts'
import type { Condition } from './conditions.ts'
import { asText, digits, kinds } from './kinds.ts'
import type { KindName } from './kinds.ts'
import type { LooseSelection } from './loose.ts'
import { byKey, holdsAll } from './model.ts'
import { applyConditions } from './reads.ts'
import type { Stage } from './stage.ts'
import { visibleRows } from './world.ts'
import type { ColumnSpec, Row, TableSpec } from './world.ts'

/** Writes, and notes what for the message of a failure. */
type Write = (stage: Stage, table: TableSpec, choices: Choices, notes: Row) => Promise<void>

/** Writes to a table in some way, and compares all of its rows with the model afterwards. */
export async function checkWrite(stage: Stage, choices: Choices): Promise<void> {
  const table = choices.pick(stage.tables)
  const write = choices.pick([updateAll, update, upsertMany, increment, incrementAll, deleteSome])
  const notes: Row = { write: write.name, table: table.name }
  await explained(stage, notes, async () => {
    await write(stage, table, choices, notes)
    const repository = stage.repository(table)
    const rows = await repository.all(repository.select().order('asc', 'id'))
    assert.deepEqual(rows, byKey(table, visibleRows(table)))
  })
}

const updateAll: Write = async (stage, table, choices, notes) => {
  const conditions = makeConditions(choices, table, 2)
  const changes = makeChanges(choices, table)
  if (Object.keys(changes).length === 0) return
  const found = visibleRows(table).filter((row) => holdsAll(conditions, row))
  Object.assign(notes, { conditions, changes })
  const affected = await stage
    .repository(table)
    .updateAll(narrowed(stage, table, conditions), changes)
  for (const row of found) Object.assign(row, changes)
  // Rows that had these values already count as well.
  assert.equal(affected, found.length)
}

const update: Write = async (stage, table, choices, notes) => {
  const key = choices.some(visibleRows(table), 1)[0]?.['id']
  const changes = makeChanges(choices, table)
  if (key === undefined || Object.keys(changes).length === 0) return
  const row = table.rows.find(({ id }) => id === key)
  Object.assign(notes, { key, changes })
  if (row !== undefined) Object.assign(row, changes)
  assert.deepEqual(await stage.repository(table).update(key, changes), row ?? null)
}

const upsertMany: Write = async (stage, table, choices, notes) => {
  const known = choices
    .some(table.rows, 3)
    .map((row): Row => Object.assign({}, row, makeChanges(choices, table)))
  Object.assign(notes, { known })
  assert.deepEqual(await stage.repository(table).upsertMany(known, { by: ['id'] }), known)
  for (const row of known) {
    const stored = table.rows.find(({ id }) => id === row.id)
    if (stored !== undefined) Object.assign(stored, row)
  }
}

const increment: Write = async (stage, table, choices, notes) => {
  const column = numericOf(choices, table)
  const [row] = choices.some(visibleRows(table), 1)
  if (column === null || row === undefined) return
  const { property, kind } = column
  const amount = choices.pick(amounts[kind] ?? [])
  const sum = added(kind, row[property], amount)
  Object.assign(notes, { key: row['id'], column, amount, sum })
  const result = stage.repository(table).increment(row['id'], { [property]: amount })
  if (sum === undefined) return assert.rejects(result, { code: 'E_INTEGER_RANGE' })
  row[property] = sum
  assert.deepEqual(await result, row)
}

const incrementAll: Write = async (stage, table, choices, notes) => {
  const column = numericOf(choices, table)
  if (column === null) return
  const { property, kind } = column
  const amount = choices.pick(amounts[kind] ?? [])
  const conditions = makeConditions(choices, table, 1, 1)
  const found = visibleRows(table).filter((row) => holdsAll(conditions, row))
  const sums = found.map((row) => added(kind, row[property], amount))
  Object.assign(notes, { conditions, column, amount, sums })
  const selection = narrowed(stage, table, conditions)
  const result = stage.repository(table).incrementAll(selection, { [property]: amount })
  if (sums.includes(undefined)) return assert.rejects(result, { code: 'E_INTEGER_RANGE' })
  assert.equal(await result, found.length)
  for (const [index, row] of found.entries()) row[property] = sums[index]
}

const deleteSome: Write = async (stage, table, choices, notes) => {
  const conditions = [...makeConditions(choices, table, 2), ...makeConditions(choices, table, 1)]
  const doomed = visibleRows(table).filter((row) => holdsAll(conditions, row))
  // A world without rows has nothing left to compare.
  if (doomed.length > 2 || table.softDelete !== null) return
  Object.assign(notes, { conditions })
  const deleted = await stage.repository(table).deleteAll(narrowed(stage, table, conditions))
  table.rows = table.rows.filter((row) => !doomed.includes(row))
  assert.equal(deleted, doomed.length)
}

function narrowed(
  stage: Stage,
  table: TableSpec,
  conditions: readonly Condition[],
): LooseSelection {
  const selection = stage.repository(table).select()
  applyConditions(selection, conditions)
  return selection
}

function makeChanges(choices: Choices, table: TableSpec): Row {
  const columns = choices.some(
    table.columns.filter(({ property }) => property !== 'id' && property !== table.softDelete),
    2,
  )
  return Object.fromEntries(
    columns.map(({ property, kind, isNullable }) => [
      property,
      isNullable && choices.chance(30) ? null : choices.pick(kinds[kind].pool),
    ]),
  )
}

/** What to add, small and large. */
const amounts: Readonly<Partial<Record<KindName, readonly unknown[]>>> = {
  integer: [1, -1, 0, 2_147_483_647],
  'safe-integer': [1, -1, Number.MAX_SAFE_INTEGER],
  bigint: [1n, -1n, 2n ** 62n],
  decimal: ['0.100', '-0.001', '10.000'],
  float: [0.1, -1.5],
}

const limits: Readonly<Partial<Record<KindName, readonly [bigint, bigint]>>> = {
  integer: [-(2n ** 31n), 2n ** 31n - 1n],
  'safe-integer': [-(2n ** 53n) + 1n, 2n ** 53n - 1n],
  bigint: [-(2n ** 63n), 2n ** 63n - 1n],
}

function numericOf(choices: Choices, { columns }: TableSpec): ColumnSpec | null {
  const numeric = columns.filter(({ property, kind }) => property !== 'id' && kind in amounts)
  return numeric.length === 0 ? null : choices.pick(numeric)
}

/** The sum in the type of the column; undefined when it does not fit. */
function added(kind: KindName, value: unknown, amount: unknown): unknown {
  if (value === null) return null
  if (kind === 'float') return Number(value) + Number(amount)
  if (kind === 'decimal') return decimalText(digits(value) + digits(amount))
  const sum = BigInt(asText(value)) + BigInt(asText(amount))
  const [low, high] = limits[kind] ?? [sum, sum]
  if (sum < low || sum > high) return undefined
  return kind === 'bigint' ? sum : Number(sum)
}

function decimalText(thousandths: bigint): string {
  const isNegative = thousandths < 0n
  const text = String(isNegative ? -thousandths : thousandths).padStart(4, '0')
  return `${isNegative ? '-' : ''}${text.slice(0, -3)}.${text.slice(-3)}`
}
