import { type SessionData, Store } from 'express-session'
import type { SessionRows } from '../peer-database.ts'
import { sessionSeconds } from './session-rows.ts'

/**
 * A store for `express-session`, and for `@fastify/session`, which takes its stores: rows by the bare
 * driver, as the stores on npm have them.
 */
export class RowStore extends Store {
  readonly #rows: SessionRows

  constructor(rows: SessionRows) {
    super()
    this.#rows = rows
  }

  override get(
    sid: string,
    callback: (error: unknown, session?: SessionData | null) => void,
  ): void {
    settle(async () => {
      const json = await this.#rows.get(sid, Date.now())
      return json === null ? null : JSON.parse(json)
    }, callback)
  }

  override set(sid: string, session: SessionData, callback?: (error?: unknown) => void): void {
    const expireMs = Date.now() + sessionSeconds * 1000
    settle(async () => this.#rows.set(sid, JSON.stringify(session), expireMs), callback)
  }

  override destroy(sid: string, callback?: (error?: unknown) => void): void {
    settle(async () => this.#rows.destroy(sid), callback)
  }
}

// The callback is called outside of the promise: what it throws is not a failure of the store.
function settle<Value>(
  work: () => Promise<Value>,
  callback: (error?: unknown, value?: Value) => void = () => undefined,
): void {
  work().then(
    (value) => process.nextTick(callback, null, value),
    (error: unknown) => process.nextTick(callback, error),
  )
}
