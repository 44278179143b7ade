import { Client, Pool, type QueryArrayConfig } from 'pg'
import { type PeerDatabase, poolSize, statements } from './peer-database.ts'
import { itemIn, memberIn, memberWithPasswordIn, type Row } from './peer-rows.ts'

const asText = { getTypeParser: () => (text: string) => text }

/** `pg`: prepared statements, rows as lists of texts; a pool, or one connection that pipelines. */
export async function openPostgres(url: string, isShared: boolean): Promise<PeerDatabase> {
  const config = { connectionString: url, options: '-c TimeZone=UTC' }
  const shared = isShared ? new Client({ ...config, pipeline: true }) : null
  await shared?.connect()
  const client = shared ?? new Pool({ ...config, max: poolSize })
  const prepare = (name: string, statement: string): ((...values: unknown[]) => Promise<Row[]>) => {
    let parameters = 0
    const text = statement.replaceAll('?', () => `$${(parameters += 1)}`)
    return async (...values) => {
      const config: QueryArrayConfig = { name, text, values, rowMode: 'array', types: asText }
      return (await client.query<unknown[]>(config)).rows
    }
  }
  const page = prepare('page', statements.page)
  const count = prepare('count', statements.count)
  const member = prepare('member', statements.member)
  const memberByEmail = prepare('member-by-email', statements.memberByEmail)
  const memberByToken = prepare('member-by-token', statements.memberByToken)
  const addNote = prepare('add-note', statements.addNote)
  const session = prepare('session', statements.session)
  const saveSession = prepare(
    'save-session',
    'INSERT INTO peer_sessions (sid, sess, expire) VALUES (?, ?, ?) ' +
      'ON CONFLICT (sid) DO UPDATE SET sess = excluded.sess, expire = excluded.expire',
  )
  const endSession = prepare('end-session', statements.endSession)
  return {
    async page(limit, offset) {
      // Both statements in one write, if it is one connection.
      const stream = shared?.connection.stream
      stream?.cork()
      const asked = Promise.all([page(limit, offset), count()])
      stream?.uncork()
      const [rows, [counted]] = await asked
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
