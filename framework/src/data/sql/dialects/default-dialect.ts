import type { Dialect } from './dialect.ts'
import { sqlite } from './sqlite.ts'

/** The dialect of what is written before a database is known. */
export const defaultDialect: Dialect = sqlite
