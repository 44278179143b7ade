import { hash } from 'node:crypto'
import type { SessionStore } from './session-store.ts'
import { storeAnswer } from './store-answer.ts'

/** Seconds a mark is kept: longer than any request that has read the session before it moved. */
const life = 600

/**
 * Left in the store by each request that is about to give a session another id. A session that is
 * gone was either ended or moved; whoever finds it gone learns from the mark which of both it was.
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

  /** Leaves the mark of a session, before it is moved. @throws HttpError 503 */
  static async leave(store: SessionStore, session: string, now: number): Promise<MoveMark> {
    const digest = markOf(session)
    const row = {
      data: '',
      identity: null,
      device: null,
      created: now,
      used: now,
      expires: now + life,
      agent: '',
      peer: '',
    }
    return storeAnswer(async () => {
      const isFirst = await store.create(digest, row)
      // The first one must be able to see that it was not the only one.
      if (!isFirst) await store.save(digest, 1, row, digest)
      return new MoveMark(store, digest, isFirst)
    })
  }

  /** Whether a request has left the mark of a session that is gone. @throws HttpError 503 */
  static async isLeft(store: SessionStore, session: string): Promise<boolean> {
    return storeAnswer(async () => (await store.read(markOf(session))) !== null)
  }

  /** Whether another request has left the same mark. @throws HttpError 503 */
  async isShared(): Promise<boolean> {
    if (!this.#isFirst) return true
    const found = await storeAnswer(async () => this.#store.read(this.#digest))
    return found !== null && found.revision > 1
  }
}

/** No id has this digest, so that a mark is never taken for a session. */
function markOf(session: string): string {
  return hash('sha256', `session moved ${session}`, 'hex')
}
