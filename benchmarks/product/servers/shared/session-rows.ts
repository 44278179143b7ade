import { Redis } from 'ioredis'
import type { Contestant } from '../contestant.ts'
import type { PeerDatabase, SessionRows } from '../peer-database.ts'

/** How long a session lives after it was saved. */
export const sessionSeconds = 7200

/** Sessions as JSON under their id: rows of the database, or keys of Redis. */
export function sessionRows({ sessions, redis }: Contestant, database: PeerDatabase): SessionRows {
  if (sessions !== 'redis') return database.sessions
  const client = new Redis(redis, { enableAutoPipelining: true })
  return {
    get: (sid) => client.get(`session:${sid}`),
    async set(sid, sess, expireMs) {
      await client.set(`session:${sid}`, sess, 'PXAT', expireMs)
    },
    async destroy(sid) {
      await client.del(`session:${sid}`)
    },
  }
}
