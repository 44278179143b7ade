import { connect } from '../../src/database/connect.ts'
import type { Database } from '../../src/database/surface.ts'
import {
  bigint,
  boolean,
  bytes,
  decimal,
  exactTimestamp,
  float,
  integer,
  json,
  key,
  text,
  timestamp,
} from '../../src/orm/entity/column.ts'
import type { Column } from '../../src/orm/entity/column.ts'
import { entity } from '../../src/orm/entity/entity.ts'
import type { Entity } from '../../src/orm/entity/entity.ts'
import { Repository } from '../../src/orm/repository.ts'
import type { Dialects } from '../../src/database/sql/dialects/dialect.ts'
import type { CreateDatabase } from '../support/test-databases.ts'
import { SentStatements } from './sent-statements.ts'

interface ArticleShape {
  readonly id: Column<number, true, true>
  readonly name: Column<string, false, false>
  readonly stock: Column<number, true, false>
  readonly barcode: Column<bigint | null, true, false>
  readonly price: Column<string | null, true, false>
  readonly weight: Column<number | null, true, false>
  readonly isSold: Column<boolean | null, true, false>
  readonly addedAt: Column<Date | null, true, false>
  readonly soldAt: Column<string | null, true, false>
  readonly details: Column<{ readonly colours: readonly string[] } | null, true, false>
  readonly picture: Column<Uint8Array | null, true, false>
}

/** One column of each kind. */
export const Articles: Entity<ArticleShape> = entity('articles', {
  id: key.integer(),
  name: text(),
  stock: integer().optional(),
  barcode: bigint().nullable(),
  price: decimal({ precision: 12, scale: 3 }).nullable(),
  weight: float().nullable(),
  isSold: boolean().nullable(),
  addedAt: timestamp().nullable(),
  soldAt: exactTimestamp().nullable(),
  details: json<{ readonly colours: readonly string[] }>().nullable(),
  picture: bytes().nullable(),
})

/** A shop on a database of its own, and what was sent to it. */
export interface Stationery {
  readonly database: Database
  readonly articles: Repository<typeof Articles>
  readonly sent: SentStatements
}

const types: Readonly<Record<Dialects, readonly string[]>> = {
  sqlite: ['INTEGER PRIMARY KEY', 'INTEGER', 'TEXT', 'TEXT', 'TEXT', 'BLOB'],
  postgres: ['SERIAL PRIMARY KEY', 'BOOLEAN', 'TIMESTAMPTZ', 'TIMESTAMP', 'JSONB', 'BYTEA'],
  mariadb: [
    'INTEGER PRIMARY KEY AUTO_INCREMENT',
    'BOOLEAN',
    'DATETIME(6)',
    'DATETIME(6)',
    'JSON',
    'BLOB',
  ],
}

/** Opens an empty shop; names are unique, and stock is 10 unless given. */
export async function openStationery(create: CreateDatabase): Promise<Stationery> {
  const sent = new SentStatements()
  const database = await connect(await create(), sent)
  const [serial, truth, moment, exact, document, blob] = types[database.dialect.name]
  await database.run({
    sql: `CREATE TABLE articles (id ${serial}, name VARCHAR(200) NOT NULL UNIQUE,
      stock INTEGER NOT NULL DEFAULT 10, barcode BIGINT, price DECIMAL(12,3), weight DOUBLE PRECISION,
      is_sold ${truth}, added_at ${moment}, sold_at ${exact}, details ${document}, picture ${blob})`,
    parameters: [],
  })
  return { database, articles: new Repository(Articles, database), sent }
}
