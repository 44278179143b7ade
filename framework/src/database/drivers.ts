import { loadOptional } from '../base/load-optional.ts'
import { Dialects } from './sql/dialects/dialect.ts'
import type { Dialect } from './sql/dialects/dialect.ts'
import type { ConnectionSettings } from './connection-settings.ts'
import type { QueryLog } from './query-log.ts'
import type { Database } from './surface.ts'
import { sqlite } from './sql/dialects/sqlite.ts'

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
  /** Loads the driver and connects; the log is called for every statement. */
  readonly open: (settings: ConnectionSettings, log: QueryLog | null) => Promise<Database>
}

/** All drivers; the first is the default of a new project. */
export const drivers: Readonly<Record<Dialects, Driver>> = {
  sqlite: {
    schemes: ['sqlite:'],
    port: null,
    form: 'sqlite:<file>',
    packages: {},
    projectUrl: null,
    open: async (settings, log) =>
      (await import('./sqlite/sqlite-database.ts')).openSqlite(settings, log),
  },
  postgres: {
    schemes: ['postgres:', 'postgresql:'],
    port: 5432,
    form: 'postgres://<user>:<password>@<host>/<name>',
    packages: { pg: '8.23.1' },
    projectUrl: (project) => `postgres://postgres:password@127.0.0.1:5432/${project}`,
    open: async (settings, log) => {
      const driver = await loadDriver('pg', () => import('./postgres/postgres-database.ts'))
      return driver.openPostgres(settings, log)
    },
  },
  mariadb: {
    schemes: ['mariadb:', 'mysql:'],
    port: 3306,
    form: 'mariadb://…',
    packages: { mariadb: '3.5.4' },
    projectUrl: (project) => `mariadb://root:password@127.0.0.1:3306/${project}`,
    open: async (settings, log) => {
      const driver = await loadDriver('mariadb', () => import('./mariadb/mariadb-database.ts'))
      return driver.openMariadb(settings, log)
    },
  },
}

/**
 * Loads a database driver, whose package the project must install.
 * @throws ConfigurationError E_DATABASE_DRIVER that names the package to install.
 */
export function loadDriver<Module>(
  packageName: string,
  load: () => Promise<Module>,
): Promise<Module> {
  const message = `this database needs the package ${packageName}, which is not installed: npm install ${packageName}`
  return loadOptional({ names: [packageName], code: 'E_DATABASE_DRIVER', message }, load)
}

/** The database of a project without `DATABASE_URL`. */
export const defaultDatabaseUrl = 'sqlite:storage/database.sqlite'

/** The dialect of that database, for statements that are compiled before another one is known. */
export const defaultDialect: Dialect = sqlite

const forms = Object.values(drivers).map(({ form }) => form)

/** The forms of all URLs, as a phrase. */
export const databaseUrlForms: string = `${forms.slice(0, -1).join(', ')} or ${forms.at(-1)}`

/** The dialect for a URL scheme such as `sqlite:`, or undefined. */
export function dialectOf(scheme: string): Dialects | undefined {
  return Object.values(Dialects).find((name) => drivers[name].schemes.includes(scheme))
}
