/** What is measured of pages: a page of 20 rows, each with what leads to the next one. */
export const PageContests = {
  CursorFirst: 'cursor-first',
  CursorDeep: 'cursor-deep',
  PageFirst: 'page-first',
  PageDeep: 'page-500',
} as const
export type PageContests = (typeof PageContests)[keyof typeof PageContests]

/** What is measured of the other work of an application, on the tables of a blog. */
export const BlogContests = {
  NestedWith: 'nested-with',
  Aggregate: 'aggregate',
  InsertMany: 'insert-many',
  Upsert: 'upsert',
  UpsertMany: 'upsert-many',
  Increment: 'increment',
} as const
export type BlogContests = (typeof BlogContests)[keyof typeof BlogContests]

export type Contests = PageContests | BlogContests

/** The contests of each suite; a suite has its own processes and its own report. */
export const suites: Readonly<Record<Suites, readonly Contests[]>> = {
  pages: Object.values(PageContests),
  blog: Object.values(BlogContests),
}
export type Suites = 'pages' | 'blog'

/** The labels of the contests in the report. */
export const titles: Readonly<Record<Contests, string>> = {
  'cursor-first': 'the first page by a cursor',
  'cursor-deep': 'a page by a cursor, nine tenths down',
  'page-first': 'page 1 of 50, with its COUNT',
  'page-500': 'page 500 of 500, with its COUNT',
  'nested-with': '20 posts, each with its 3 newest comments and their authors',
  aggregate: 'count, sum and maximum of 1,000 comments by author',
  'insert-many': 'an insert of 1,000 rows, which are returned',
  upsert: 'an upsert of one row, which is returned',
  'upsert-many': 'an upsert of 100 rows, which are returned',
  increment: 'an addition in the database, and the row that results',
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

/** Whether this is the name of a suite. */
export function isSuite(name: string): name is Suites {
  return Object.hasOwn(suites, name)
}

/** Whether this is the name of a contest. */
export function isContest(name: string): name is Contests {
  return Object.hasOwn(titles, name)
}

/** Whether a contest is one of pages. */
export function isPageContest(contest: Contests): contest is PageContests {
  return Object.values<Contests>(PageContests).includes(contest)
}
