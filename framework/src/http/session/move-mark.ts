import { hash } from 'node:crypto'
import type { SessionStore } from './session-store.ts'
import { askStore, plainRow } from './session-store.ts'

/** Seconds a mark is kept: longer than any request that read the session before it moved. */
const lifetime = 600

/**
 * Seconds in which sign-ins with the same cookie count as concurrent, even if one arrives after another
 * was done. After them, the cookie may be used for another one: the response with the new id may have
 * been lost on its way.
 */
const concurrent = 10

/**
 * Stored by each request that is about to give a session another id. A request that then finds the
 * session missing can tell from the mark whether it was ended or moved.
 */
export class MoveMark {
  readonly #store: SessionStore
  readonly #digest: string
  readonly #isFirst: boolean

  private constructor(store: SessionStore, digest: string, isFirst: boolean) {
    this.#store = store
    this.#digest = digest
    this.#isFirst = isFirst
  }

  /** Stores the mark, before the session is moved. @throws HttpError 503 */
  static async leave(store: SessionStore, session: string, now: number): Promise<MoveMark> {
    const digest = markOf(session)
    const row = plainRow('', now, lifetime)
    return askStore(async () => {
      const isFirst = await store.create(digest, row)
      // Raises the revision, so that the first request can see that it was not the only one.
      if (!isFirst) await store.save(digest, 1, row, digest)
      return new MoveMark(store, digest, isFirst)
    })
  }

  /**
   * Stores the mark of a guest, who has no row that only one request could move: whoever stores the
   * mark wins. Null if another request was first. @throws HttpError 503
   */
  static async take(store: SessionStore, guest: string, now: number): Promise<MoveMark | null> {
    const digest = markOf(guest)
    const row = plainRow('', now, lifetime)
    return askStore(async () => {
      if (await store.create(digest, row)) return new MoveMark(store, digest, true)
      const found = await store.read(digest)
      if (found === null || found.used + concurrent > now) return null
      const isTaken = await store.save(digest, found.revision, row, digest)
      return isTaken ? new MoveMark(store, digest, true) : null
    })
  }

  /** Whether a missing session was moved. @throws HttpError 503 */
  static async isLeft(store: SessionStore, session: string): Promise<boolean> {
    return askStore(async () => (await store.read(markOf(session))) !== null)
  }

  /** Whether a missing session was moved by a request that counts as concurrent. @throws HttpError 503 */
  static async isRecent(store: SessionStore, session: string, now: number): Promise<boolean> {
    const found = await askStore(async () => store.read(markOf(session)))
    return found !== null && found.used + concurrent > now
  }

  /** Whether another request is moving the same session. @throws HttpError 503 */
  async isShared(): Promise<boolean> {
    if (!this.#isFirst) return true
    const found = await askStore(async () => this.#store.read(this.#digest))
    return found !== null && found.revision > 1
  }

  /** Removes the mark of a move that failed, so that the next attempt is not taken for the second. */
  async release(): Promise<void> {
    await askStore(() => this.#store.destroy(this.#digest))
  }
}

/** Not the digest of any id, so a mark can never be used as a session. */
function markOf(session: string): string {
  return hash('sha256', `session moved ${session}`, 'hex')
}
