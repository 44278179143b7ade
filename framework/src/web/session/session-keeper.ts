import { deviceOf } from './identity-keys.ts'
import type { IdentityKeys } from './identity-keys.ts'
import { MoveMark } from './move-mark.ts'
import { decodeData, encodeData } from './session-data.ts'
import type { SessionData } from './session-data.ts'
import { isSessionId, newSessionId, sessionDigest } from './session-id.ts'
import { SessionKeys } from './session-keys.ts'
import type { SessionRow, SessionStore, SessionUse, StoredSession } from './session-store.ts'
import { afterAnswer, storeAnswer } from './store-answer.ts'

/** What all sessions of a server share. Times are seconds. */
export interface SessionSettings {
  readonly store: SessionStore
  /** Longest time between two uses. */
  readonly idle: number
  /** Longest life of one id. */
  readonly lifetime: number
  /** Where the values say whose session it is. */
  readonly identityKeys: IdentityKeys
  /** Epoch seconds. */
  readonly clock: () => number
  /** Hears of failures that cost no answer. */
  readonly report: (failure: unknown) => void
  /** Called after a session was added. */
  readonly added: () => void
}

/** What a session notes of the request that uses it. */
export interface Visitor {
  readonly peer: string
  header(name: string): string | undefined
}

/** A session as it was read. */
export interface KeptSession {
  readonly data: SessionData
  readonly revision: number
  readonly created: number
  readonly used: number
}

/** Reads renew the idle time at most so often: a write for each of them would cost more than they do. */
const renewalInterval = 60

const maxAgentLength = 255
const maxPeerLength = 64

/** Brings the session of one request out of the store and back. */
export class SessionKeeper {
  readonly #visitor: Visitor
  readonly #settings: SessionSettings
  #digest: string | null
  #issued: string | null = null

  /** Of the id that came with a request, which counts for nothing unless it is in the store. */
  constructor(id: string | undefined, visitor: Visitor, settings: SessionSettings) {
    this.#digest = isSessionId(id) ? sessionDigest(id) : null
    this.#visitor = visitor
    this.#settings = settings
  }

  /** Digest of the id; null as long as there is none. */
  get digest(): string | null {
    return this.#digest
  }

  /** An id that was made here, which the browser does not know yet. */
  get issued(): string | null {
    return this.#issued
  }

  /**
   * The session as it is now; null when there is none, or it is over. It is no promise where the
   * store answers at once. @throws HttpError 503, later.
   */
  find(): KeptSession | null | Promise<KeptSession | null> {
    const digest = this.#digest
    if (digest === null) return null
    const { store } = this.#settings
    return afterAnswer(
      () => store.read(digest),
      (found) => this.#live(found),
    )
  }

  #live(found: StoredSession | null): KeptSession | null {
    if (found === null) return null
    const { idle, lifetime } = this.#settings
    const { revision, created, used } = found
    const now = this.#now()
    if (used + idle <= now || created + lifetime <= now) return null
    const data = decodeData(found.data)
    return data === null ? null : { data, revision, created, used }
  }

  /** Adds a session under a new id: what a browser came up with is never taken over. */
  async create(data: SessionData): Promise<void> {
    const { store, added } = this.#settings
    const id = newSessionId()
    const digest = sessionDigest(id)
    const row = this.#row(data, this.#now())
    await storeAnswer(() => store.create(digest, row))
    this.#issue(id, digest)
    added()
  }

  /** Saves other data; false, and nothing is done, when the session is no longer as it was read. */
  async save(kept: KeptSession, data: SessionData): Promise<boolean> {
    return this.#replace(kept, this.#row(data, kept.created), this.#digest ?? '')
  }

  /** Saves data under a new id, which begins a life of its own; false as `save`. */
  async move(kept: KeptSession, data: SessionData): Promise<boolean> {
    const id = newSessionId()
    const digest = sessionDigest(id)
    const isMoved = await this.#replace(kept, this.#row(data, this.#now()), digest)
    if (isMoved) this.#issue(id, digest)
    return isMoved
  }

  /** Notes that the session is about to move, for those who then find it gone. */
  async markMove(): Promise<MoveMark> {
    return MoveMark.leave(this.#settings.store, this.#digest ?? '', this.#now())
  }

  /** Whether the session that was asked for is gone because another request gave it a new id. */
  async isMoved(): Promise<boolean> {
    return this.#digest !== null && MoveMark.isLeft(this.#settings.store, this.#digest)
  }

  /** Notes that the session was used. Nobody waits for it: at worst it ends a minute earlier. */
  renew({ created, used }: KeptSession): void {
    const digest = this.#digest ?? ''
    if (this.#now() - used < renewalInterval) return
    const { store, report } = this.#settings
    const use = this.#use(created)
    storeAnswer(() => store.touch(digest, use)).catch(report)
  }

  /** Ends the session, and tells the browser of no id, whether or not the store can be reached. */
  async destroy(): Promise<void> {
    const { store } = this.#settings
    const digest = this.#digest
    this.#issued = null
    this.#digest = null
    if (digest !== null) await storeAnswer(() => store.destroy(digest))
  }

  #replace(kept: KeptSession, row: SessionRow, newDigest: string): Promise<boolean> {
    const { store } = this.#settings
    const digest = this.#digest ?? ''
    return storeAnswer(() => store.save(digest, kept.revision, row, newDigest))
  }

  #issue(id: string, digest: string): void {
    this.#issued = id
    this.#digest = digest
  }

  #row(data: SessionData, created: number): SessionRow {
    const identity = this.#settings.identityKeys.find(data.values)
    const device = deviceOf(data.values[SessionKeys.Device])
    return { data: encodeData(data), identity, device, created, ...this.#use(created) }
  }

  #use(created: number): SessionUse {
    const { idle, lifetime } = this.#settings
    const used = this.#now()
    const expires = Math.min(used + idle, created + lifetime)
    const agent = (this.#visitor.header('user-agent') ?? '').slice(0, maxAgentLength)
    return { used, expires, agent, peer: this.#visitor.peer.slice(0, maxPeerLength) }
  }

  #now(): number {
    return Math.floor(this.#settings.clock())
  }
}
