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
    Promise.resolve(this.#rows.get(sid, Date.now())).then(
      (json) => callback(null, json === null ? null : JSON.parse(json)),
      (error: unknown) => callback(error),
    )
  }

  set(sid: string, session: object, callback: Written): void {
    const expireMs = Date.now() + sessionSeconds * 1000
    Promise.resolve(this.#rows.set(sid, JSON.stringify(session), expireMs)).then(
      () => callback(),
      (error: unknown) => callback(error),
    )
  }

  destroy(sid: string, callback: Written): void {
    Promise.resolve(this.#rows.destroy(sid)).then(
      () => callback(),
      (error: unknown) => callback(error),
    )
  }
}
