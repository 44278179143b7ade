/** An item of the list. */
export interface Item {
  readonly id: number
  readonly name: string
  readonly category: string
  /** With two decimals. */
  readonly price: string
  readonly stock: number
  readonly createdAt: Date
}

/** The member that somebody is signed in as, or whose token a program has. */
export interface Member {
  readonly id: number
  readonly email: string
  readonly name: string
}

/** A member as the sign-in reads them. */
export interface MemberWithPassword extends Member {
  /** An argon2id hash in PHC format. */
  readonly password: string
}

/** A note to add. */
export interface NewNote {
  readonly userId: number
  readonly title: string
  readonly text: string
  readonly priority: number
}

/** SQLite answers at once, the others with a promise. */
export type Answer<Value> = Value | Promise<Value>

/** The statements of the product on a bare driver, prepared. All peers share it. */
export interface PeerDatabase {
  /** A page of the items by name, and how many there are: two statements, sent together. */
  page(limit: number, offset: number): Answer<{ items: readonly Item[]; total: number }>
  member(id: number): Answer<Member | null>
  memberByEmail(email: string): Answer<MemberWithPassword | null>
  /** The member whose token has this SHA-256 in hexadecimal digits, if it is valid now (in ms). */
  memberByToken(digest: string, nowMs: number): Answer<Member | null>
  /** Adds a note and returns its id. */
  addNote(note: NewNote): Answer<number>
  /** Rows of `peer_sessions`: `sess` is JSON, `expire` in ms. */
  readonly sessions: SessionRows
}

/** The table of sessions, for the stores of the peers. */
export interface SessionRows {
  /** The JSON of a session that has not expired. */
  get(sid: string, nowMs: number): Answer<string | null>
  set(sid: string, sess: string, expireMs: number): Answer<void>
  destroy(sid: string): Answer<void>
}

/** Options of `openPeerDatabase`. */
export interface PeerDatabaseOptions {
  /**
   * Whether all requests share one connection, on which statements are sent without waiting for each
   * other: the least that a driver costs, without transactions.
   * @default false, a pool of ten, as the drivers recommend and as ours has it
   */
  readonly isShared?: boolean
}

/** Opens a database by its URL. */
export async function openPeerDatabase(
  url: string,
  { isShared = false }: PeerDatabaseOptions = {},
): Promise<PeerDatabase> {
  if (url.startsWith('sqlite:')) return (await import('./peer-sqlite.ts')).openSqlite(url)
  if (url.startsWith('postgres:')) {
    return (await import('./peer-postgres.ts')).openPostgres(url, isShared)
  }
  return (await import('./peer-mariadb.ts')).openMariadb(url, isShared)
}

/** Connections of a pool. */
export const poolSize = 10

/** Rows per page everywhere. */
export const pageSize = 10

/** The SQL of all three, with `?` for parameters. */
export const statements = {
  page: 'SELECT id, name, category, price, stock, created_at FROM items ORDER BY name, id LIMIT ? OFFSET ?',
  count: 'SELECT COUNT(*) FROM items',
  member: 'SELECT id, email, name FROM users WHERE id = ?',
  memberByEmail: 'SELECT id, email, name, password FROM users WHERE email = ?',
  memberByToken:
    'SELECT users.id, users.email, users.name FROM peer_tokens JOIN users ON users.id = peer_tokens.user_id WHERE peer_tokens.digest = ? AND peer_tokens.expires > ?',
  addNote: 'INSERT INTO notes (user_id, title, text, priority) VALUES (?, ?, ?, ?) RETURNING id',
  session: 'SELECT sess FROM peer_sessions WHERE sid = ? AND expire > ?',
  endSession: 'DELETE FROM peer_sessions WHERE sid = ?',
} as const
