import { createConnection, createPool } from 'mariadb'
import { type PeerDatabase, poolSize, statements } from './peer-database.ts'
import { itemIn, memberIn, memberWithPasswordIn, type Row } from './peer-rows.ts'

/** `mariadb`: prepared statements, rows as lists; a pool, or one connection that pipelines. */
export async function openMariadb(url: string, isShared: boolean): Promise<PeerDatabase> {
  const { hostname, port, username, password, pathname } = new URL(url)
  const config = {
    host: hostname,
    port: Number(port),
    user: decodeURIComponent(username),
    password: decodeURIComponent(password),
    database: pathname.slice(1),
    dateStrings: true,
    timezone: '+00:00',
  }
  const connection = isShared
    ? await createConnection(config)
    : createPool({ ...config, connectionLimit: poolSize })
  const prepare =
    (sql: string) =>
    (...values: unknown[]): Promise<Row[]> =>
      connection.execute<Row[]>({ sql, rowsAsArray: true }, values)
  const page = prepare(statements.page)
  const count = prepare(statements.count)
  const member = prepare(statements.member)
  const memberByEmail = prepare(statements.memberByEmail)
  const memberByToken = prepare(statements.memberByToken)
  const addNote = prepare(statements.addNote)
  const session = prepare(statements.session)
  const saveSession = prepare(
    'INSERT INTO peer_sessions (sid, sess, expire) VALUES (?, ?, ?) ' +
      'ON DUPLICATE KEY UPDATE sess = VALUES(sess), expire = VALUES(expire)',
  )
  const endSession = prepare(statements.endSession)
  return {
    async page(limit, offset) {
      const [rows, [counted]] = await Promise.all([page(limit, offset), count()])
      return { items: rows.map(itemIn), total: Number(counted?.[0]) }
    },
    member: async (id) => memberIn((await member(id))[0]),
    memberByEmail: async (email) => memberWithPasswordIn((await memberByEmail(email))[0]),
    memberByToken: async (digest, nowMs) => memberIn((await memberByToken(digest, nowMs))[0]),
    async addNote({ userId, title, text, priority }) {
      const [row] = await addNote(userId, title, text, priority)
      return Number(row?.[0])
    },
    sessions: {
      async get(sid, nowMs) {
        const [row] = await session(sid, nowMs)
        return row === undefined ? null : String(row[0])
      },
      async set(sid, sess, expireMs) {
        await saveSession(sid, sess, expireMs)
      },
      async destroy(sid) {
        await endSession(sid)
      },
    },
  }
}
