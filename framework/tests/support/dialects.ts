import type { Dialect, Dialects } from '../../src/data/sql/dialects/dialect.ts'
import { mariadb } from '../../src/data/sql/dialects/mariadb.ts'
import { postgres } from '../../src/data/sql/dialects/postgres.ts'
import { sqlite } from '../../src/data/sql/dialects/sqlite.ts'

/** The dialects by name. The framework itself loads only that of its driver. */
export const dialects: Readonly<Record<Dialects, Dialect>> = { sqlite, postgres, mariadb }
