import type { Database } from '../../src/database/surface.ts'
import {
  bigint,
  boolean,
  date,
  decimal,
  exactTimestamp,
  float,
  integer,
  key,
  text,
} from '../../src/orm/entity/column.ts'
import type { Column } from '../../src/orm/entity/column.ts'
import { entity } from '../../src/orm/entity/entity.ts'
import type { Entity } from '../../src/orm/entity/entity.ts'
import type { RowOf } from '../../src/orm/entity/row.ts'
import type { Dialects } from '../../src/database/sql/dialects/dialect.ts'
import { sql, Statement } from '../../src/database/sql/plan/statement.ts'

interface Shape {
  readonly id: Column<bigint, true, true>
  readonly rank: Column<number, false, false>
  readonly serial: Column<bigint, false, false>
  readonly price: Column<string, false, false>
  readonly ratio: Column<number, false, false>
  readonly flag: Column<boolean, false, false>
  readonly name: Column<string, false, false>
  readonly day: Column<string, false, false>
  readonly moment: Column<string, false, false>
}

const shape: Shape = {
  id: key.bigint(),
  rank: integer(),
  serial: bigint(),
  price: decimal({ precision: 12, scale: 3 }),
  ratio: float(),
  flag: boolean(),
  name: text(),
  day: date(),
  moment: exactTimestamp(),
}

/** A table with a column of every kind that a cursor can walk over. */
export const Readings: Entity<Shape> = entity('readings', shape)
export type Readings = typeof Readings

/** A table of the same columns, for every row there ever was. */
export const Ledger: Entity<Shape> = entity('ledger', shape)

export type Reading = RowOf<Readings>

const types: Readonly<Record<Dialects, string>> = {
  sqlite:
    'id INTEGER PRIMARY KEY, rank INTEGER NOT NULL, serial INTEGER NOT NULL, price DECIMAL(12,3) NOT NULL, ratio REAL NOT NULL, flag INTEGER NOT NULL, name TEXT NOT NULL, day TEXT NOT NULL, moment TEXT NOT NULL',
  postgres:
    'id BIGINT PRIMARY KEY, rank INTEGER NOT NULL, serial BIGINT NOT NULL, price NUMERIC(12,3) NOT NULL, ratio DOUBLE PRECISION NOT NULL, flag BOOLEAN NOT NULL, name TEXT NOT NULL, day DATE NOT NULL, moment TIMESTAMPTZ NOT NULL',
  mariadb:
    'id BIGINT PRIMARY KEY, `rank` INTEGER NOT NULL, serial BIGINT NOT NULL, price DECIMAL(12,3) NOT NULL, ratio DOUBLE NOT NULL, flag TINYINT(1) NOT NULL, name VARCHAR(200) NOT NULL, day DATE NOT NULL, moment DATETIME(6) NOT NULL',
}

/** Makes both tables. */
export async function createReadings(database: Database): Promise<void> {
  for (const { table } of [Readings, Ledger]) {
    await database.run({
      sql: `CREATE TABLE ${table} (${types[database.dialect.name]})`,
      parameters: [],
    })
  }
}

/** Empties both tables. */
export async function clearReadings(database: Database): Promise<void> {
  for (const { table } of [Readings, Ledger])
    await database.run(sql`DELETE FROM ${sql.name(table)}`)
}

/** Inserts rows into both tables, values as the column's own type, past the ORM. */
export async function addReadings(database: Database, rows: readonly Reading[]): Promise<void> {
  if (rows.length === 0) return
  const names = Readings.columns.map(({ name }) => sql.name(name))
  const values = rows.map(
    ({ id, rank, serial, price, ratio, flag, name, day, moment }) =>
      sql`(${sql.list([id, rank, serial, price, ratio, flag, name, day, moment])})`,
  )
  const into = sql`(${sql.list(names)}) VALUES ${sql.list(values)}`
  for (const { table } of [Readings, Ledger]) {
    await database.run(sql`INSERT INTO ${sql.name(table)} ${into}`)
  }
}

/** Deletes a row; the ledger keeps it. */
export async function dropReading(database: Database, id: bigint): Promise<void> {
  await database.run(sql`DELETE FROM readings WHERE id = ${id}`)
}

/** Keys of every row there ever was, in the order the database itself gives them. */
export async function ledgerOrder(database: Database, order: string): Promise<bigint[]> {
  const { rows } = await database.run({
    ...new Statement([`SELECT id FROM ledger ORDER BY ${order}`], []).compile(database.dialect),
    raw: true,
  })
  return rows.map((row) => BigInt(Array.isArray(row) ? row[0] : Number.NaN))
}
