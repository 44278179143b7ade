import type { SessionStores } from './servers/contestant.ts'

/** What is asked for; each needs another visitor. */
export type Kinds =
  | 'list'
  | 'form'
  | 'newcomer'
  | 'guarded'
  | 'api'
  | 'insert'
  | 'static'
  | 'unchanged'
  | 'upload'
  | 'login'

/** Databases that hold the product. */
export type Databases = 'sqlite' | 'postgres' | 'mariadb'

/** Something that every server does. */
export interface Task {
  readonly name: string
  readonly title: string
  readonly kind: Kinds
  readonly path: string
  readonly database: Databases
  readonly sessions: SessionStores
  readonly tls: boolean
  /** `Accept-Encoding`; null to send none. */
  readonly encoding: 'gzip' | 'br' | null
  readonly connections: number
  readonly burstSeconds: number
  /** Requests that a new process answers, at least, before it is measured. */
  readonly warmUpRequests: number
  /** How many times our CPU each peer has to need. */
  readonly atLeast: number
}

const everyday = {
  database: 'sqlite',
  sessions: 'sqlite',
  tls: false,
  encoding: null,
  connections: 50,
  burstSeconds: 1,
  warmUpRequests: 20_000,
  atLeast: 1.3,
} as const

const list = { ...everyday, kind: 'list', path: '/items?page=3' } as const
const guarded = { ...everyday, kind: 'guarded', path: '/account' } as const
const style = { ...everyday, path: '/static/style.css', atLeast: 1 } as const

/** Every task, in the order of the report. */
export const tasks: readonly Task[] = [
  { ...list, name: 'list-sqlite', title: 'Page of a list, SQLite' },
  { ...list, name: 'list-postgres', title: 'Page of a list, PostgreSQL', database: 'postgres' },
  { ...list, name: 'list-mariadb', title: 'Page of a list, MariaDB', database: 'mariadb' },
  {
    ...everyday,
    name: 'form',
    title: 'Page with a form, for a guest who has been there before',
    kind: 'form',
    path: '/contact',
  },
  {
    ...everyday,
    name: 'newcomer',
    title: 'Page with a form, for a guest who comes for the first time',
    kind: 'newcomer',
    path: '/contact',
  },
  { ...guarded, name: 'guarded-sqlite', title: 'Page of a member, session in SQLite' },
  {
    ...guarded,
    name: 'guarded-postgres',
    title: 'Page of a member, session in PostgreSQL',
    database: 'postgres',
    sessions: 'postgres',
  },
  {
    ...guarded,
    name: 'guarded-redis',
    title: 'Page of a member, session in Redis',
    sessions: 'redis',
  },
  {
    ...everyday,
    name: 'api',
    title: 'List as JSON, with a bearer token',
    kind: 'api',
    path: '/api/items?page=3',
  },
  {
    ...everyday,
    name: 'insert',
    title: 'Validated JSON that inserts a row',
    kind: 'insert',
    path: '/api/notes',
  },
  { ...list, name: 'gzip', title: 'Page of a list, compressed with gzip', encoding: 'gzip' },
  { ...list, name: 'br', title: 'Page of a list, compressed with brotli', encoding: 'br' },
  { ...style, name: 'static10k', title: 'File of 10 kB', kind: 'static' },
  {
    ...style,
    name: 'static1m',
    title: 'File of 1 MB',
    kind: 'static',
    path: '/static/photo.bin',
    warmUpRequests: 2_000,
  },
  {
    ...style,
    name: 'static304',
    title: 'File of 10 kB that the client has (304)',
    kind: 'unchanged',
  },
  { ...list, name: 'tls', title: 'Page of a list, over TLS', tls: true, atLeast: 1 },
  {
    ...everyday,
    name: 'upload',
    title: 'Upload of 1 MB',
    kind: 'upload',
    path: '/api/uploads',
    connections: 10,
    burstSeconds: 3,
    warmUpRequests: 500,
    atLeast: 1,
  },
  {
    ...everyday,
    name: 'login',
    title: 'Sign-in: form, then password',
    kind: 'login',
    path: '/login',
    connections: 4,
    burstSeconds: 3,
    warmUpRequests: 300,
    atLeast: 1,
  },
]

/** The tasks with these names; `list` stands for every name that begins with `list-`. */
export function chooseTasks(names: readonly string[]): readonly Task[] {
  const isNamed = (task: Task, name: string): boolean =>
    task.name === name || task.name.startsWith(`${name}-`)
  const unknown = names.filter((name) => !tasks.some((task) => isNamed(task, name)))
  if (unknown.length > 0) {
    const known = tasks.map(({ name }) => name).join(', ')
    throw new Error(`--tasks takes ${known}; got ${unknown.join(', ')}`)
  }
  return tasks.filter((task) => names.length === 0 || names.some((name) => isNamed(task, name)))
}
