import { FrameworkError } from '../../base/errors.ts'
import { KeyChanges } from './key-changes.ts'
import { emptyData, frozen, isEmpty, sessionValue } from './session-data.ts'
import type { KeyedValues, SessionData } from './session-data.ts'
import type { KeptSession, SessionKeeper } from './session-keeper.ts'
import type { MoveMark } from './move-mark.ts'
import { unavailable } from './store-answer.ts'

/** Key of the CSRF token. It belongs to the id and goes with it. */
export const csrfKey = 'csrf'

/** Says whether a session that was just saved may stay. */
export type SessionConfirmation = () => Promise<boolean>

/** Each round that fails means that another request was saved: so many do not meet in practice. */
const maxRounds = 100

/**
 * What is remembered of a visitor between requests. Nothing is read before the first use. Reading
 * gives promises; writing is noted at once and saved when the handler is done, before the answer
 * goes out. A request that ends in an error saves nothing.
 */
export class Session {
  readonly #keeper: SessionKeeper
  readonly #values = new KeyChanges()
  readonly #flash = new KeyChanges()
  #isRead = false
  #reading: Promise<KeptSession | null> | null = null
  #kept: KeptSession | null = null
  #confirmations: readonly SessionConfirmation[] | null = null
  #undos: readonly (() => Promise<unknown>)[] = []
  #lostRace = false
  #regenerated = false
  #discarded = false
  #closed = false

  constructor(keeper: SessionKeeper) {
    this.#keeper = keeper
  }

  /** The value under a key; null when there is none. It is frozen: `set` is how it changes. */
  async get(key: string): Promise<unknown> {
    const change = this.#values.find(key)
    if (change !== null) return change.value
    return valueIn((await this.#read())?.data.values, key)
  }

  /** Whether there is a value under the key: true exactly where `get` gives something but null. */
  async has(key: string): Promise<boolean> {
    return (await this.get(key)) !== null
  }

  /**
   * Puts a value under a key; null takes it away, as `delete` does.
   * @throws InvalidArgumentException unless it is JSON of at most 64 KiB; FrameworkError when the
   *   session is saved already.
   */
  set(key: string, value: unknown): void {
    if (value === null) this.delete(key)
    else this.#write().#values.set(key, sessionValue(key, value))
  }

  /** Takes the value under a key away. */
  delete(key: string): void {
    this.#write().#values.delete(key)
  }

  /** The value under a key, which is taken away; null when there is none. */
  pull(key: string): Promise<unknown> {
    const value = this.get(key)
    this.delete(key)
    return value
  }

  /**
   * With a value, keeps it until it is taken; without one, takes it: null when there is none. Such
   * values do not meet those of `set`.
   */
  flash(key: string): Promise<unknown>
  flash(key: string, value: unknown): void
  flash(key: string, ...values: readonly unknown[]): Promise<unknown> | undefined {
    if (values.length === 0) return this.#takeFlash(key)
    this.#write().#flash.set(key, sessionValue(key, values[0]))
    return undefined
  }

  /**
   * Gives the session another id; the old one leads nowhere from then on. Call it wherever somebody
   * becomes another: an id that an attacker planted before must not be the one that is signed in.
   */
  regenerate(): void {
    this.#write().#regenerated = true
    this.#values.delete(csrfKey)
  }

  /** Takes everything out, flashed values too. */
  flush(): void {
    this.#write().#values.clear()
    this.#flash.clear()
  }

  /**
   * Keeps this request from writing to the session and from sending a cookie, whatever was or will
   * be called: for a request that lost a race and must not overwrite what the winner sent.
   */
  discardWrites(): void {
    this.#discarded = true
  }

  /**
   * Asks this once the session is saved; unless every answer is true the session is ended again
   * and no cookie sent. For whoever signs somebody in: what they went by (a password, a device) may
   * have been revoked since, and who revoked it could not see a session that was not there yet.
   */
  confirmAfterSave(confirm: SessionConfirmation): void {
    this.#write().#confirmations = [...(this.#confirmations ?? []), confirm]
  }

  /**
   * Has this done if another request gives the session a new id while this one wants to: then that one
   * counts, and this one leaves no session and no cookie. For whoever has made more than a session.
   */
  undoIfLost(undo: () => Promise<unknown>): void {
    this.#write().#undos = [...this.#undos, undo]
  }

  /** Whether another request was first to give the session a new id; known once it is saved. */
  get lostRace(): boolean {
    return this.#lostRace
  }

  /** Whether the browser named a session that has another id since: it has yet to hear of that. */
  async isMoved(): Promise<boolean> {
    return (await this.#read()) === null && (await this.#keeper.isMoved())
  }

  /** Whether the browser named a session that is live. */
  async isLive(): Promise<boolean> {
    return (await this.#read()) !== null
  }

  /** What this request has flashed. */
  get flashed(): KeyedValues {
    return this.#flash.apply({})
  }

  /** Digest of the id the session is stored under; null as long as there is none. */
  get digest(): string | null {
    return this.#keeper.digest
  }

  /** The new id that the answer must tell the browser; null when there is nothing to tell. */
  get issued(): string | null {
    return this.#keeper.issued
  }

  /**
   * Saves what was changed, once; null when there is nothing to wait for. Called by the middleware.
   * @throws HttpError 503 when the store fails; InvalidArgumentException above 64 KiB.
   */
  commit(): Promise<void> | null {
    if (this.#closed) return null
    this.#closed = true
    if (this.#discarded) return null
    if (this.#regenerated || !this.#values.isEmpty || !this.#flash.isEmpty) {
      return this.#conclude()
    }
    if (this.#kept !== null) this.#keeper.renew(this.#kept)
    return null
  }

  async #takeFlash(key: string): Promise<unknown> {
    const change = this.#flash.find(key)
    this.#write().#flash.delete(key)
    if (change !== null) return change.value
    return valueIn((await this.#read())?.data.flash, key)
  }

  // Read from the first write on, not when it is saved: a session that ends in between is told from
  // one that never was, and no new one takes its place.
  #write(): this {
    if (this.#closed) {
      throw new FrameworkError(
        'E_SESSION_CLOSED',
        'the session was saved when the handler was done; write to it before, inside the Sessions middleware',
      )
    }
    // A failure comes to light when the session is saved.
    if (!this.#isRead && this.#reading === null) this.#readFirst()?.catch(() => {})
    return this
  }

  #read(): KeptSession | null | Promise<KeptSession | null> {
    if (this.#isRead) return this.#kept
    return this.#reading ?? this.#readFirst() ?? this.#kept
  }

  /** Null where the store answered at once. */
  #readFirst(): Promise<KeptSession | null> | null {
    const found = this.#keeper.find()
    if (found instanceof Promise) this.#reading = found.then((kept) => this.#keep(kept))
    else this.#keep(found)
    return this.#reading
  }

  #keep(kept: KeptSession | null): KeptSession | null {
    this.#isRead = true
    this.#kept = kept
    return kept
  }

  async #conclude(): Promise<void> {
    await this.#save()
    if (this.#lostRace) {
      for (const undo of this.#undos) await undo()
    } else if (this.#confirmations !== null) await this.#confirm(this.#confirmations)
  }

  // The changes are done to what is stored now, again and again until no other request comes between:
  // of two that run at once both are kept, and of two that set the same key the one saved last.
  async #save(): Promise<void> {
    const keeper = this.#keeper
    let kept = await this.#read()
    if (kept === null) return this.#create()
    const mark = this.#regenerated ? await keeper.markMove() : null
    for (let round = 0; round < maxRounds; round += 1) {
      const data = this.#changed(kept.data)
      if (data === kept.data && !this.#regenerated) return keeper.renew(kept)
      const isSaved = await (this.#regenerated ? keeper.move(kept, data) : keeper.save(kept, data))
      if (isSaved) return undefined
      kept = await keeper.find()
      if (kept === null) return this.#saveWithout(mark)
    }
    throw unavailable('a session was changed by too many requests at once')
  }

  // It was ended, or got another id. What this request meant for it goes with it. One that wanted a
  // new id gets that if it was ended, with nothing in it but its own writes; if another request was
  // first, a browser has one session all the same: that of the other.
  async #saveWithout(mark: MoveMark | null): Promise<void> {
    if (mark === null) return
    this.#lostRace = await mark.isShared()
    if (!this.#lostRace) await this.#create()
  }

  // All are asked, since each may have something to take back.
  async #confirm(confirmations: readonly SessionConfirmation[]): Promise<void> {
    let stays = false
    try {
      const answers: boolean[] = []
      for (const confirm of confirmations) answers.push(await confirm())
      stays = answers.every(Boolean)
    } finally {
      if (!stays) await this.#keeper.destroy()
    }
  }

  async #create(): Promise<void> {
    const data = this.#changed(emptyData)
    if (!isEmpty(data)) await this.#keeper.create(data)
  }

  #changed(data: SessionData): SessionData {
    const values = this.#values.apply(data.values)
    const flash = this.#flash.apply(data.flash)
    return values === data.values && flash === data.flash ? data : { values, flash }
  }
}

function valueIn(values: KeyedValues = {}, key: string): unknown {
  return Object.hasOwn(values, key) ? frozen(values[key]) : null
}
