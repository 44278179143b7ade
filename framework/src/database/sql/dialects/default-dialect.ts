import type { Dialect } from './dialect.ts'
import { sqlite } from './sqlite.ts'

/** The dialect used before a database is known. */
export const defaultDialect: Dialect = sqlite
