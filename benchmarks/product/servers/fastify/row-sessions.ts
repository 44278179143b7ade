import type { SessionStore } from '@fastify/session'
import type { SessionRows } from '../peer-database.ts'
import { sessionSeconds } from '../shared/session-rows.ts'

type Read = Parameters<SessionStore['get']>[1]
type Written = Parameters<SessionStore['destroy']>[1]

/** A store for `@fastify/session`: JSON in rows of the database, or in Redis. */
export class RowSessions implements SessionStore {
  readonly #rows: SessionRows

  constructor(rows: SessionRows) {
    this.#rows = rows
  }

  get(sid: string, callback: Read): void {
    settle(async () => {
      const json = await this.#rows.get(sid, Date.now())
      return json === null ? null : JSON.parse(json)
    }, callback)
  }

  set(sid: string, session: object, callback: Written): void {
    const expireMs = Date.now() + sessionSeconds * 1000
    settle(async () => this.#rows.set(sid, JSON.stringify(session), expireMs), callback)
  }

  destroy(sid: string, callback: Written): void {
    settle(async () => this.#rows.destroy(sid), callback)
  }
}

// The callback is called outside of the promise: what it throws is not a failure of the store.
function settle<Value>(
  work: () => Promise<Value>,
  callback: (error: unknown, value?: Value) => void,
): void {
  work().then(
    (value) => process.nextTick(callback, null, value),
    (error: unknown) => process.nextTick(callback, error),
  )
}
