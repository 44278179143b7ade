import type { SessionData, SessionStoreContract } from '@adonisjs/session/types'
import type { SessionRows } from '../peer-database.ts'
import { sessionSeconds } from '../shared/session-rows.ts'

/**
 * A store of our own, as the documentation of Adonis shows one: its store for databases wants Lucid,
 * whose driver for SQLite is compiled.
 */
export class RowStore implements SessionStoreContract {
  readonly #rows: SessionRows

  constructor(rows: SessionRows) {
    this.#rows = rows
  }

  async read(sessionId: string): Promise<SessionData | null> {
    const json = await this.#rows.get(sessionId, Date.now())
    return json === null ? null : JSON.parse(json)
  }

  async write(sessionId: string, values: SessionData): Promise<void> {
    const expireMs = Date.now() + sessionSeconds * 1000
    await this.#rows.set(sessionId, JSON.stringify(values), expireMs)
  }

  async destroy(sessionId: string): Promise<void> {
    await this.#rows.destroy(sessionId)
  }

  /** Nothing: a session that has not changed is not written, as with the others. */
  touch(): void {}
}
