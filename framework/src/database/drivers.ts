import { Dialects } from './sql/dialects/dialect.ts'
import type { DatabaseOptions } from './database-options.ts'
import type { DatabaseSettings } from './connection-settings.ts'
import { loadDriver } from './load-driver.ts'
import type { Database } from './surface.ts'

/** A database driver, before its package is loaded. */
export interface Driver {
  /** The schemes of its URLs. */
  readonly schemes: readonly string[]
  /** The default port; null for a database in a file. */
  readonly port: number | null
  /** The form of its URLs, for messages. */
  readonly form: string
  /** The packages a project needs for it, with their versions. */
  readonly packages: Readonly<Record<string, string>>
  /** The URL suggested for a new project of that name; null if no setting is needed. */
  readonly projectUrl: ((project: string) => string) | null
  /** Loads the driver and connects. */
  readonly open: (settings: DatabaseSettings, options: DatabaseOptions) => Promise<Database>
}

/** All drivers; the first is the default of a new project. */
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

/** The database of a project without `DATABASE_URL`. */
export const defaultDatabaseUrl = 'sqlite:storage/database.sqlite'

/** The forms of all URLs, as a phrase. */
export const databaseUrlForms: string = new Intl.ListFormat('en-GB', {
  type: 'disjunction',
}).format(Object.values(drivers).map(({ form }) => form))

/** The dialect for a URL scheme such as `sqlite:`, or undefined. */
export function dialectOf(scheme: string): Dialects | undefined {
  return dialectsByScheme.get(scheme)
}

const dialectsByScheme: ReadonlyMap<string, Dialects> = new Map(
  Object.values(Dialects).flatMap((name) =>
    drivers[name].schemes.map((scheme) => [scheme, name] as const),
  ),
)
