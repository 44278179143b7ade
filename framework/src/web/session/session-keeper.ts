import { deviceOf } from './identity-keys.ts'
import type { IdentityKeys } from './identity-keys.ts'
import { MoveMark } from './move-mark.ts'
import { decodeData, encodeData } from './session-data.ts'
import type { SessionData } from './session-data.ts'
import { isSessionId, newSessionId, sessionDigest } from './session-id.ts'
import { SessionKeys } from './session-keys.ts'
import type { SessionRow, SessionStore, SessionUse, StoredSession } from './session-store.ts'
import { mapStoreResult, askStore } from './ask-store.ts'

/** What all sessions of a server share. Times are seconds. */
export interface SessionSettings {
  readonly store: SessionStore
  /** Maximum time between two uses. */
  readonly idle: number
  /** Maximum age of an id. */
  readonly lifetime: number
  readonly identityKeys: IdentityKeys
  /** Epoch seconds. */
  readonly clock: () => number
  /** Reports failures that do not affect the response. */
  readonly report: (failure: unknown) => void
  /** Called after a session was added. */
  readonly added: () => void
}

/** The parts of a request that are recorded with its session. */
export interface Visitor {
  readonly peer: string
  header(name: string): string | undefined
}

/** A live session as it was read. */
export interface KeptSession {
  readonly data: SessionData
  readonly revision: number
  readonly created: number
  readonly used: number
}

/** Reads renew the idle time at most this often: a write costs more than a read. */
const renewalInterval = 60

const maxAgentLength = 255
const maxPeerLength = 64

/** Reads the session of one request from the store and writes it back. */
export class SessionKeeper {
  readonly #visitor: Visitor
  readonly #settings: SessionSettings
  #digest: string | null
  #issued: string | null = null

  /** `id` is the one the browser sent; it means nothing unless it is in the store. */
  constructor(id: string | undefined, visitor: Visitor, settings: SessionSettings) {
    this.#digest = isSessionId(id) ? sessionDigest(id) : null
    this.#visitor = visitor
    this.#settings = settings
  }

  /** Digest of the id; null if there is none. */
  get digest(): string | null {
    return this.#digest
  }

  /** A new id that the browser does not know yet. */
  get issued(): string | null {
    return this.#issued
  }

  /**
   * The session as it is stored now; null if there is none or it has expired. Not a promise if the
   * store is synchronous.
   */
  find(): KeptSession | null | Promise<KeptSession | null> {
    const digest = this.#digest
    if (digest === null) return null
    const { store } = this.#settings
    return mapStoreResult(
      () => store.read(digest),
      (found) => this.#ifLive(found),
    )
  }

  #ifLive(found: StoredSession | null): KeptSession | null {
    if (found === null) return null
    const { idle, lifetime } = this.#settings
    const { revision, created, used } = found
    const now = this.#now()
    if (used + idle <= now || created + lifetime <= now) return null
    const data = decodeData(found.data)
    return data === null ? null : { data, revision, created, used }
  }

  /** Adds a session under a new id; an unknown id sent by a browser is never adopted. */
  async create(data: SessionData): Promise<void> {
    const { store, added } = this.#settings
    const id = newSessionId()
    const digest = sessionDigest(id)
    const row = this.#row(data, this.#now())
    await askStore(() => store.create(digest, row))
    this.#issue(id, digest)
    added()
  }

  /** Saves the data. Returns false and changes nothing if the session has changed since it was read. */
  async save(kept: KeptSession, data: SessionData): Promise<boolean> {
    return this.#replace(kept, this.#row(data, kept.created), this.#digest ?? '')
  }

  /** Saves the data under a new id with a new lifetime. Returns false like `save`. */
  async move(kept: KeptSession, data: SessionData): Promise<boolean> {
    const id = newSessionId()
    const digest = sessionDigest(id)
    const isMoved = await this.#replace(kept, this.#row(data, this.#now()), digest)
    if (isMoved) this.#issue(id, digest)
    return isMoved
  }

  /** Records that the session is about to move, for requests that will find it missing. */
  async markMove(): Promise<MoveMark> {
    return MoveMark.leave(this.#settings.store, this.#digest ?? '', this.#now())
  }

  /** Whether the session is missing because another request gave it a new id. */
  async isMoved(): Promise<boolean> {
    return this.#digest !== null && MoveMark.isLeft(this.#settings.store, this.#digest)
  }

  /** Records that the session was used. Not awaited: at worst it expires a minute early. */
  renew({ created, used }: KeptSession): void {
    const digest = this.#digest ?? ''
    if (this.#now() - used < renewalInterval) return
    const { store, report } = this.#settings
    const use = this.#use(created)
    askStore(() => store.touch(digest, use)).catch(report)
  }

  /** Ends the session. No new id is sent, even if the store cannot be reached. */
  async destroy(): Promise<void> {
    const { store } = this.#settings
    const digest = this.#digest
    this.#issued = null
    this.#digest = null
    if (digest !== null) await askStore(() => store.destroy(digest))
  }

  #replace(kept: KeptSession, row: SessionRow, newDigest: string): Promise<boolean> {
    const { store } = this.#settings
    const digest = this.#digest ?? ''
    return askStore(() => store.save(digest, kept.revision, row, newDigest))
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
