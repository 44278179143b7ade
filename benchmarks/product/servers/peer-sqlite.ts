import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { type PeerDatabase, statements } from './peer-database.ts'
import { itemIn, memberIn, memberWithPasswordIn, type Row } from './peer-rows.ts'

/** `node:sqlite`, synchronous, with the settings that ours has. */
export function openSqlite(url: string): PeerDatabase {
  const database = new DatabaseSync(url.slice('sqlite:'.length))
  for (const setting of ['journal_mode = WAL', 'synchronous = NORMAL', 'foreign_keys = ON']) {
    database.exec(`PRAGMA ${setting}`)
  }
  const prepare = (statement: string): StatementSync => {
    const prepared = database.prepare(statement)
    prepared.setReturnArrays(true)
    return prepared
  }
  const page = prepare(statements.page)
  const count = prepare(statements.count)
  const member = prepare(statements.member)
  const memberByEmail = prepare(statements.memberByEmail)
  const memberByToken = prepare(statements.memberByToken)
  const addNote = prepare(statements.addNote)
  const session = prepare(statements.session)
  const saveSession = prepare(
    'INSERT INTO peer_sessions (sid, sess, expire) VALUES (?, ?, ?) ' +
      'ON CONFLICT (sid) DO UPDATE SET sess = excluded.sess, expire = excluded.expire',
  )
  const endSession = prepare(statements.endSession)
  return {
    page(limit, offset) {
      const items = rowsOf(page.all(limit, offset)).map(itemIn)
      return { items, total: Number(rowOf(count)?.[0]) }
    },
    member: (id) => memberIn(rowOf(member, id)),
    memberByEmail: (email) => memberWithPasswordIn(rowOf(memberByEmail, email)),
    memberByToken: (digest, nowMs) => memberIn(rowOf(memberByToken, digest, nowMs)),
    addNote: ({ userId, title, text, priority }) =>
      Number(rowOf(addNote, userId, title, text, priority)?.[0]),
    sessions: {
      get(sid, nowMs) {
        const row = rowOf(session, sid, nowMs)
        return row === undefined ? null : String(row[0])
      },
      set: (sid, sess, expireMs) => void saveSession.run(sid, sess, expireMs),
      destroy: (sid) => void endSession.run(sid),
    },
  }
}

// The types of `node:sqlite` do not know of rows as lists.
function rowOf(statement: StatementSync, ...values: SQLInputValue[]): Row | undefined {
  return rowsOf([statement.get(...values)].filter((row) => row !== undefined))[0]
}

function rowsOf(rows: readonly unknown[]): readonly Row[] {
  if (areLists(rows)) return rows
  throw new TypeError('unreachable: the statements give lists')
}

function areLists(rows: readonly unknown[]): rows is readonly Row[] {
  return rows.length === 0 || Array.isArray(rows[0])
}
