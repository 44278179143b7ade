import type { OpenBlog } from './blog/blog.ts'
import { type Clients, type Databases, isClient, type Suites } from './contests.ts'
import type { OpenLibrary } from './library.ts'

type Loads<Open> = Readonly<
  Record<Databases, Readonly<Partial<Record<Clients, () => Promise<Open>>>>>
>

const ours = async (): Promise<OpenLibrary> => (await import('./clients/ours.ts')).open
const oursOfBlog = async (): Promise<OpenBlog> => (await import('./blog/clients/ours.ts')).open

// SQLite has only those that need nothing compiled.
const libraries: Loads<OpenLibrary> = {
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

const blogs: Loads<OpenBlog> = {
  postgres: {
    bare: async () => (await import('./blog/clients/bare-postgres.ts')).open,
    ours: oursOfBlog,
    kysely: async () => (await import('./blog/clients/kysely.ts')).openPostgres,
    knex: async () => (await import('./blog/clients/knex.ts')).openPostgres,
    drizzle: async () => (await import('./blog/clients/drizzle-postgres.ts')).open,
    typeorm: async () => (await import('./blog/clients/typeorm.ts')).openPostgres,
    'mikro-orm': async () => (await import('./blog/clients/mikro-orm-postgres.ts')).open,
    prisma: async () => (await import('./blog/clients/prisma-postgres.ts')).open,
  },
  mariadb: {
    bare: async () => (await import('./blog/clients/bare-mariadb.ts')).open,
    ours: oursOfBlog,
    kysely: async () => (await import('./blog/clients/kysely.ts')).openMariadb,
    knex: async () => (await import('./blog/clients/knex.ts')).openMariadb,
    drizzle: async () => (await import('./blog/clients/drizzle-mariadb.ts')).open,
    typeorm: async () => (await import('./blog/clients/typeorm.ts')).openMariadb,
  },
  sqlite: {
    bare: async () => (await import('./blog/clients/bare-sqlite.ts')).open,
    ours: oursOfBlog,
    kysely: async () => (await import('./blog/clients/kysely.ts')).openSqlite,
    drizzle: async () => (await import('./blog/clients/drizzle-sqlite.ts')).open,
  },
}

const entrants: Readonly<Record<Suites, Loads<OpenLibrary | OpenBlog>>> = {
  pages: libraries,
  blog: blogs,
}

/** The libraries that take part in a suite on a database. */
export function entrantsOf(suite: Suites, database: Databases): readonly Clients[] {
  return Object.keys(entrants[suite][database]).filter(isClient)
}

/**
 * Loads a library for its pages, and nothing of the others.
 * @throws Error when it takes no part on that database.
 */
export function loadLibrary(database: string, client: string): Promise<OpenLibrary> {
  return load(libraries, database, client)
}

/**
 * Loads a library for the blog, and nothing of the others.
 * @throws Error when it takes no part on that database.
 */
export function loadBlog(database: string, client: string): Promise<OpenBlog> {
  return load(blogs, database, client)
}

function load<Open>(loads: Loads<Open>, database: string, client: string): Promise<Open> {
  const ofDatabase = new Map(Object.entries(loads)).get(database)
  const found = ofDatabase === undefined || !isClient(client) ? undefined : ofDatabase[client]
  if (found === undefined) throw new Error(`${client} takes no part on ${database}`)
  return found()
}
