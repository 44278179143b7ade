/** What is measured: a page of 20 rows, each with what leads to the next one. */
export const Contests = {
  CursorFirst: 'cursor-first',
  CursorDeep: 'cursor-deep',
  PageFirst: 'page-first',
  PageDeep: 'page-500',
} as const
export type Contests = (typeof Contests)[keyof typeof Contests]

/** The labels of the contests in the report. */
export const titles: Readonly<Record<Contests, string>> = {
  'cursor-first': 'the first page by a cursor',
  'cursor-deep': 'a page by a cursor, nine tenths down',
  'page-first': 'page 1 of 50, with its COUNT',
  'page-500': 'page 500 of 500, with its COUNT',
}

/** The databases, in the order they are played on. */
export const databases = {
  postgres: 'PostgreSQL',
  mariadb: 'MariaDB',
  sqlite: 'SQLite',
} as const
export type Databases = keyof typeof databases

/** The libraries by name, with their labels in the report. */
export const clients = {
  bare: 'SQL by hand on the bare driver',
  ours: 'ours',
  kysely: 'kysely 0.29',
  knex: 'Knex 3',
  drizzle: 'Drizzle 0.45',
  'drizzle-prepared': 'Drizzle 0.45, prepared',
  typeorm: 'TypeORM 1',
  'mikro-orm': 'MikroORM 7',
  prisma: 'Prisma 7',
} as const
export type Clients = keyof typeof clients

/** Whether this is the name of a database. */
export function isDatabase(name: string): name is Databases {
  return Object.hasOwn(databases, name)
}

/** Whether this is the name of a library. */
export function isClient(name: string): name is Clients {
  return Object.hasOwn(clients, name)
}
