import connectPgSimple from 'connect-pg-simple'
import { RedisStore } from 'connect-redis'
import type { RequestHandler } from 'express'
import session, { type Store } from 'express-session'
import { Pool } from 'pg'
import { createClient } from 'redis'
import type { Contestant } from '../contestant.ts'
import { type PeerDatabase, poolSize } from '../peer-database.ts'
import { RowStore } from '../shared/row-store.ts'
import { sessionSeconds } from '../shared/session-rows.ts'

declare module 'express-session' {
  interface SessionData {
    userId?: number
  }
}

/** `express-session` with a store of its list. A session that has not changed is not saved. */
export async function sessions(
  settings: Contestant,
  database: PeerDatabase,
): Promise<RequestHandler> {
  return session({
    name: 'sid',
    secret: 'a secret of thirty-two characters',
    resave: false,
    saveUninitialized: false,
    cookie: {
      httpOnly: true,
      sameSite: 'lax',
      secure: settings.tls !== null,
      maxAge: sessionSeconds * 1000,
    },
    store: await openStore(settings, database),
  })
}

// Their `touch` would write for each use of a session; `disableTouch` is there to save that.
async function openStore(settings: Contestant, database: PeerDatabase): Promise<Store> {
  if (settings.sessions === 'redis') {
    const client = createClient({ url: settings.redis })
    await client.connect()
    return new RedisStore({ client, disableTouch: true })
  }
  // Of those on npm for SQLite, all need a driver that is compiled.
  if (settings.sessions === 'sqlite') return new RowStore(database.sessions)
  const PgStore = connectPgSimple(session)
  return new PgStore({
    pool: new Pool({ connectionString: settings.database, max: poolSize }),
    tableName: 'express_sessions',
    createTableIfMissing: true,
    disableTouch: true,
  })
}
