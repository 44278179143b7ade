import type { Dialect, Dialects } from './dialect.ts'
import { mariadb } from './mariadb.ts'
import { postgres } from './postgres.ts'
import { sqlite } from './sqlite.ts'

/** The dialects by name. */
export const dialects: Readonly<Record<Dialects, Dialect>> = { sqlite, postgres, mariadb }

/** The dialect of what no database has been named for. */
export const defaultDialect: Dialect = sqlite
