import type { Dialect, Dialects } from '../../src/database/sql/dialects/dialect.ts'
import { mariadb } from '../../src/database/sql/dialects/mariadb.ts'
import { postgres } from '../../src/database/sql/dialects/postgres.ts'
import { sqlite } from '../../src/database/sql/dialects/sqlite.ts'

/** The dialects by name. The framework itself loads only that of its driver. */
export const dialects: Readonly<Record<Dialects, Dialect>> = { sqlite, postgres, mariadb }
