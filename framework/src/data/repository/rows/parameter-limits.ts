import type { Dialects } from '../../sql/dialects/dialect.ts'

/** Most values that one statement can bind. */
export const parameterLimits: Readonly<Record<Dialects, number>> = {
  sqlite: 32_766,
  postgres: 65_535,
  mariadb: 65_535,
}
