// Compiled by `npm run typecheck`, never run: each expected error is a promise of the types.
import type { Generated, Kysely, Transaction as KyselyTransaction } from 'kysely'
import * as v from 'valibot'
import type { Database, Transaction } from '../../src/database/surface.ts'
import { kysely, surfaceOf } from '../../src/database/kysely.ts'
import {
  bigint,
  boolean,
  decimal,
  integer,
  json,
  text,
  timestamp,
} from '../../src/orm/entity/column.ts'
import { sql } from '../../src/database/sql/plan/statement.ts'

interface Sale {
  readonly id: number
  readonly price: string
}

export async function typedRows(database: Database, transaction: Transaction): Promise<void> {
  const [sale] = await database.rows(sql<Sale>`select id, price from sales`)
  const price: string | undefined = sale?.price
  // @ts-expect-error a typed row has no other column
  const other: unknown = sale?.amount

  const [plain] = await database.rows(sql`select id from sales`)
  const unknownValue: unknown = plain?.['id']
  // @ts-expect-error nothing is known about an undeclared row
  const number: number | undefined = plain?.['id']

  const totals = sql`select …`.as({
    total: integer(),
    serial: bigint().nullable(),
    price: decimal(),
    ok: boolean(),
    doc: json<{ readonly tags: readonly string[] }>(),
    soldAt: timestamp('at'),
  })
  const [row] = await transaction.rows(totals)
  const total: number | undefined = row?.total
  const serial: bigint | null | undefined = row?.serial
  const tags: readonly string[] | undefined = row?.doc.tags
  const at: Date | undefined = row?.soldAt
  // @ts-expect-error a nullable column may be null
  const certain: bigint | undefined = row?.serial
  // @ts-expect-error a decimal is a text
  const decimalNumber: number | undefined = row?.price

  const checked = totals.check(v.object({ total: v.pipe(v.number(), v.transform(String)) }))
  const [first] = await database.rows(checked)
  const text1: string | undefined = first?.total
  // @ts-expect-error the row is what the schema returns
  const gone: unknown = first?.serial

  // @ts-expect-error not a column
  sql`select 1 as one`.as({ one: 'integer' })
  // @ts-expect-error not a schema
  sql`select 1 as one`.check({ one: text() })

  // A typed statement can be run and nested wherever a statement can.
  await database.run(sql<Sale>`delete from sales where id in (${sql<Sale>`select 1`})`)
  await database.rows({ sql: 'select 1', parameters: [] })
  void [price, other, unknownValue, number, total, serial, tags, at, certain, decimalNumber]
  void [text1, gone]
}

interface Tables {
  readonly sales: { readonly id: Generated<number>; readonly price: string }
}

export async function typedQueries(database: Database): Promise<void> {
  const queries: Kysely<Tables> = kysely<Tables>(database)
  const [sale] = await queries.selectFrom('sales').select('price').execute()
  const price: string | undefined = sale?.price
  // @ts-expect-error no such column
  void queries.selectFrom('sales').select('amount')
  await queries.transaction().execute(async (transaction: KyselyTransaction<Tables>) => {
    const surface = await surfaceOf(transaction)
    await surface.run(sql`select 1`)
  })
  // @ts-expect-error a database is not a Kysely
  await surfaceOf(database)
  // @ts-expect-error a repetition count is a number
  await database.transaction(() => 1, { retry: true })
  void price
}
