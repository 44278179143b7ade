import { guestDigest, isSealedGuest, newGuestId } from './guest-cookies.ts'
import type { Guest, GuestCookies } from './guest-cookies.ts'
import { deviceOf, identityOf } from './identity-keys.ts'
import type { IdentityKeys } from './identity-keys.ts'
import { MoveMark } from './move-mark.ts'
import { decodeData, encodeData } from './session-data.ts'
import type { SessionData } from './session-data.ts'
import { isSessionId, newSessionId, sessionDigest } from './session-id.ts'
import { SessionKeys } from './session-keys.ts'
import type { SessionRow, SessionStore, SessionUse, StoredSession } from './session-store.ts'
import { mapStoreResult, askStore } from './session-store.ts'

/** What all sessions of a server share. Times are seconds. */
export interface SessionSettings {
  readonly store: SessionStore
  /** Seals the sessions of guests into their cookies; null if they are in the store. */
  readonly guests: GuestCookies | null
  /** Maximum time between two uses. */
  readonly idle: number
  /** Maximum age of an id. */
  readonly lifetime: number
  readonly identityKeys: IdentityKeys
  /** Epoch seconds. */
  readonly clock: () => number
  /** Reports failures that do not affect the response. */
  readonly report: (failure: unknown) => void
  /** Called before a guest gets a row; rejects if the guest's network has too many. */
  readonly admit: (peer: string) => Promise<void>
  /** Called after a session was added. */
  readonly added: () => void
}

/** The session cookie of a request. */
export interface PresentedCookie {
  readonly value: string | undefined
  /** Whether it came under a former name, so that it is sent again under the present one. */
  readonly isFormer: boolean
}

/** The parts of a request that are recorded with its session. */
export interface Visitor {
  readonly peer: string
  header(name: string): string | undefined
}

/** A live session as it was read. */
export interface KeptSession {
  readonly data: SessionData
  /** Whether it comes from the cookie of a guest, and not from the store. */
  readonly isGuest: boolean
  readonly revision: number
  readonly created: number
  readonly used: number
}

/** Reads renew the idle time at most this often: a write costs more than a read. */
const renewalInterval = 60

/** Seconds by which the clock of the worker that sealed a cookie may be ahead. */
const maxClockSkew = 60

const maxAgentLength = 255
const maxPeerLength = 64

/**
 * Reads the session of one request and writes it back: that of a guest from and to the cookie, any
 * other from and to the store.
 */
export class SessionKeeper {
  readonly #visitor: Visitor
  readonly #settings: SessionSettings
  #digest: string | null
  /** The cookie of a guest, until it is opened. */
  #sealed: string | null
  #guest: Guest | null = null
  #issued: string | null = null
  #mark: MoveMark | null = null

  /** The value is the one the browser sent; an id means nothing unless it is in the store. */
  constructor({ value, isFormer }: PresentedCookie, visitor: Visitor, settings: SessionSettings) {
    this.#digest = isSessionId(value) ? sessionDigest(value) : null
    this.#sealed = settings.guests !== null && isSealedGuest(value) ? value : null
    if (isFormer && (this.#digest ?? this.#sealed) !== null) this.#issued = value ?? null
    this.#visitor = visitor
    this.#settings = settings
  }

  /** Digest of the id, or what stands for it at a guest; null if there is none. */
  get digest(): string | null {
    if (this.#digest !== null) return this.#digest
    const guest = this.#openGuest()
    return guest === null ? null : guestDigest(guest.id)
  }

  /** A new value for the cookie, which the browser does not have yet. */
  get issued(): string | null {
    return this.#issued
  }

  /** Whether data belongs to the store, so that an account can end all its sessions. */
  needsRow({ values }: SessionData): boolean {
    return this.#settings.guests === null || this.#identityIn(values) !== null
  }

  /** Whether nobody has signed in, or begun to. */
  isGuest({ values }: SessionData): boolean {
    return this.#identityIn(values) === null
  }

  /**
   * The session as it is stored now; null if there is none or it has expired. Not a promise if the
   * store is synchronous.
   */
  find(): KeptSession | null | Promise<KeptSession | null> {
    const digest = this.#digest
    if (digest === null) return this.#findGuest()
    const { store } = this.#settings
    return mapStoreResult(
      () => store.read(digest),
      (found) => this.#ifLive(found),
    )
  }

  #findGuest(): KeptSession | null {
    const guest = this.#openGuest()
    if (guest === null) return null
    const { data, created } = guest
    return { data, isGuest: true, revision: 0, created, used: created }
  }

  // On first use: most requests of guests never need it.
  #openGuest(): Guest | null {
    const { guests, lifetime } = this.#settings
    if (this.#sealed === null || guests === null) return this.#guest
    const guest = guests.open(this.#sealed)
    this.#sealed = null
    if (guest === null) return null
    const age = this.#now() - guest.created
    if (age < lifetime && age >= -maxClockSkew) this.#guest = guest
    return this.#guest
  }

  #ifLive(found: StoredSession | null): KeptSession | null {
    if (found === null) return null
    const { idle, lifetime } = this.#settings
    const { revision, created, used } = found
    const now = this.#now()
    if (used + idle <= now || created + lifetime <= now) return null
    const data = decodeData(found.data)
    return data === null ? null : { data, isGuest: false, revision, created, used }
  }

  /** Adds a session: a row under a new id; an unknown id sent by a browser is never adopted. */
  async createRow(data: SessionData): Promise<void> {
    const { store, admit, added } = this.#settings
    const id = newSessionId()
    const digest = sessionDigest(id)
    const row = this.#row(data, this.#now())
    if (row.identity === null) await admit(this.#visitor.peer)
    await askStore(() => store.create(digest, row))
    this.#issue(id, digest)
    added()
  }

  /** Puts the data into the cookie of a guest: of the one who sent the request, or of a new one. */
  saveGuest(data: SessionData, kept: KeptSession | null): void {
    const { guests } = this.#settings
    const id = kept === null ? null : this.#guest?.id
    const created = kept?.created ?? this.#now()
    const guest = { id: id ?? newGuestId(), created, data }
    this.#guest = guest
    this.#issued = guests?.seal(guest) ?? null
    this.#digest = null
  }

  /** Gives a guest a row. Returns false if another request of the same guest has already got one. */
  async enter(data: SessionData): Promise<boolean> {
    const { store } = this.#settings
    const mark = await MoveMark.take(store, this.digest ?? '', this.#now())
    if (mark === null) return false
    this.#mark = mark
    try {
      await this.createRow(data)
    } catch (error) {
      await this.#releaseMark()
      throw error
    }
    return true
  }

  /** Ends the row and gives the data to a new guest. Returns false if the row is gone. */
  async leave(data: SessionData): Promise<boolean> {
    const { store } = this.#settings
    const digest = this.#digest ?? ''
    if (!(await askStore(() => store.destroy(digest)))) return false
    this.saveGuest(data, null)
    return true
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
    const { digest } = this
    return digest !== null && MoveMark.isLeft(this.#settings.store, digest)
  }

  /** Whether it is missing because a concurrent request gave it a new id. */
  async isJustMoved(): Promise<boolean> {
    const { digest } = this
    if (digest === null) return false
    return MoveMark.isRecent(this.#settings.store, digest, this.#now())
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
    await this.#releaseMark()
  }

  // The failure that led here matters more than that of the mark, which expires anyway.
  async #releaseMark(): Promise<void> {
    await this.#mark?.release().catch(this.#settings.report)
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
    const identity = this.#identityIn(data.values)
    const device = deviceOf(data.values[SessionKeys.Device])
    return { data: encodeData(data), identity, device, created, ...this.#use(created) }
  }

  // A sign-in that waits for its second factor ends with the account's sessions, so it is indexed too.
  #identityIn(values: SessionData['values']): string | null {
    const pending = values[SessionKeys.Pending]
    const identity = this.#settings.identityKeys.find(values)
    return identity ?? (typeof pending === 'object' ? identityOf(pending) : null)
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
