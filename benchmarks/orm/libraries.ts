import { type Clients, type Databases, isClient } from './contests.ts'
import type { OpenLibrary } from './library.ts'

type Load = () => Promise<OpenLibrary>

const ours: Load = async () => (await import('./clients/ours.ts')).open

// SQLite has only those that need nothing compiled.
const libraries: Readonly<Record<Databases, Readonly<Partial<Record<Clients, Load>>>>> = {
  postgres: {
    bare: async () => (await import('./clients/bare-postgres.ts')).open,
    ours,
    kysely: async () => (await import('./clients/kysely-postgres.ts')).open,
    knex: async () => (await import('./clients/knex-postgres.ts')).open,
    drizzle: async () => (await import('./clients/drizzle-postgres.ts')).open,
    'drizzle-prepared': async () => (await import('./clients/drizzle-postgres.ts')).openPrepared,
    typeorm: async () => (await import('./clients/typeorm-postgres.ts')).open,
    'mikro-orm': async () => (await import('./clients/mikro-orm-postgres.ts')).open,
    prisma: async () => (await import('./clients/prisma-postgres.ts')).open,
  },
  mariadb: {
    bare: async () => (await import('./clients/bare-mariadb.ts')).open,
    ours,
    kysely: async () => (await import('./clients/kysely-mariadb.ts')).open,
    knex: async () => (await import('./clients/knex-mariadb.ts')).open,
    'drizzle-prepared': async () => (await import('./clients/drizzle-mariadb.ts')).openPrepared,
  },
  sqlite: {
    bare: async () => (await import('./clients/bare-sqlite.ts')).open,
    ours,
    kysely: async () => (await import('./clients/kysely-sqlite.ts')).open,
    'drizzle-prepared': async () => (await import('./clients/drizzle-sqlite.ts')).openPrepared,
  },
}

/** The libraries that take part on a database. */
export function entrantsOf(database: Databases): readonly Clients[] {
  return Object.keys(libraries[database]).filter(isClient)
}

/**
 * Loads a library, and nothing of the others.
 * @throws Error when it takes no part on that database.
 */
export async function loadLibrary(database: string, client: string): Promise<OpenLibrary> {
  const loads: Readonly<Record<string, Readonly<Record<string, Load>>>> = libraries
  const load = loads[database]?.[client]
  if (load === undefined) throw new Error(`${client} takes no part on ${database}`)
  return load()
}
