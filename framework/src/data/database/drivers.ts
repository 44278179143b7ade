import { Dialects } from '../sql/dialects/dialect.ts'
import type { DatabaseOptions } from './database-options.ts'
import type { DatabaseSettings } from './database-settings.ts'
import { loadDriver } from './load-driver.ts'
import type { Database } from './surface.ts'

/** What is known of a database before its driver is loaded. */
export interface Driver {
  /** What its URLs begin with. */
  readonly schemes: readonly string[]
  /** Its port unless a URL names one; null for a database that lives in a file. */
  readonly port: number | null
  /** How its URL is written, for people. */
  readonly form: string
  /** Packages a project needs for it, with their versions. */
  readonly packages: Readonly<Record<string, string>>
  /** Where it is expected for a new project of that name; null needs no setting. */
  readonly projectUrl: ((project: string) => string) | null
  /** Loads the driver and connects. */
  readonly open: (settings: DatabaseSettings, options: DatabaseOptions) => Promise<Database>
}

/** Every database there is a driver for; the first one is the default of a new project. */
export const drivers: Readonly<Record<Dialects, Driver>> = {
  sqlite: {
    schemes: ['sqlite:'],
    port: null,
    form: 'sqlite:<file>',
    packages: {},
    projectUrl: null,
    open: async (settings, options) => {
      const { openSqlite } = await import('./sqlite/open-sqlite.ts')
      return openSqlite(settings, options)
    },
  },
  postgres: {
    schemes: ['postgres:', 'postgresql:'],
    port: 5432,
    form: 'postgres://<user>:<password>@<host>/<name>',
    packages: { pg: '8.23.1' },
    projectUrl: (project) => `postgres://postgres:password@127.0.0.1:5432/${project}`,
    open: async (settings, options) => {
      const { openPostgres } = await loadDriver('pg', () => import('./postgres/open-postgres.ts'))
      return openPostgres(settings, options)
    },
  },
  mariadb: {
    schemes: ['mariadb:', 'mysql:'],
    port: 3306,
    form: 'mariadb://…',
    packages: { mariadb: '3.5.4' },
    projectUrl: (project) => `mariadb://root:password@127.0.0.1:3306/${project}`,
    open: async (settings, options) => {
      const { openMariadb } = await loadDriver('mariadb', () => import('./mariadb/open-mariadb.ts'))
      return openMariadb(settings, options)
    },
  },
}

/** The database of a project that names none. */
export const defaultDatabaseUrl = 'sqlite:storage/database.sqlite'

/** How the URLs are written, in one sentence. */
export const databaseUrlForms: string = new Intl.ListFormat('en-GB', {
  type: 'disjunction',
}).format(Object.values(drivers).map(({ form }) => form))

/** The dialect whose URLs begin with a scheme such as `sqlite:`, or undefined. */
export function dialectOf(scheme: string): Dialects | undefined {
  return dialectsByScheme.get(scheme)
}

const dialectsByScheme: ReadonlyMap<string, Dialects> = new Map(
  Object.values(Dialects).flatMap((name) =>
    drivers[name].schemes.map((scheme) => [scheme, name] as const),
  ),
)
