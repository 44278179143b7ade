import { FrameworkError } from '../../base/errors.ts'
import { KeyChanges, emptyData, frozen, isEmpty, sessionValue } from './session-data.ts'
import type { KeyedValues, SessionData } from './session-data.ts'
import type { KeptSession, SessionKeeper } from './session-keeper.ts'
import type { MoveMark } from './move-mark.ts'
import { csrfKey } from './session-keys.ts'
import { unavailable } from './session-store.ts'

/** Whether a session that was just saved may stay. */
export type SessionConfirmation = () => Promise<boolean>

/** An attempt fails only if another request saved the session, so this many never fail in practice. */
const maxAttempts = 100

/**
 * The data kept for a visitor between requests. Nothing is read before the first use. Reads return
 * promises; writes are recorded and saved after the handler, before the response is sent. A request
 * that ends in an error saves nothing.
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
  #stored = false
  #discarded = false
  #closed = false

  constructor(keeper: SessionKeeper) {
    this.#keeper = keeper
  }

  /** The value of a key; null if there is none. It is frozen: change it with `set`. */
  async get(key: string): Promise<unknown> {
    const change = this.#values.find(key)
    if (change !== null) return change.value
    return valueIn((await this.#read())?.data.values, key)
  }

  /** The value that a key had when the request came, whatever the request has changed since. */
  async presented(key: string): Promise<unknown> {
    return valueIn((await this.#read())?.data.values, key)
  }

  /** Whether the key has a value other than null. */
  async has(key: string): Promise<boolean> {
    return (await this.get(key)) !== null
  }

  /**
   * Sets the value of a key; null deletes it.
   * @throws InvalidArgumentException unless it is JSON of at most 64 KiB; FrameworkError if the session
   *   was already saved.
   */
  set(key: string, value: unknown): void {
    if (value === null) this.delete(key)
    else this.#write().#values.set(key, sessionValue(key, value))
  }

  delete(key: string): void {
    this.#write().#values.delete(key)
  }

  /** Deletes a key and returns its value; null if there was none. */
  pull(key: string): Promise<unknown> {
    const value = this.get(key)
    this.delete(key)
    return value
  }

  /**
   * With a value, stores it until it is read; without one, reads and deletes it: null if there is none.
   * Flash keys are separate from the keys of `set`.
   */
  flash(key: string): Promise<unknown>
  flash(key: string, value: unknown): void
  flash(key: string, ...values: readonly unknown[]): Promise<unknown> | undefined {
    if (values.length === 0) return this.#takeFlash(key)
    this.#write().#flash.set(key, sessionValue(key, values[0]))
    return undefined
  }

  /**
   * Gives the session a new id and invalidates the old one. Call it wherever the user changes, so that
   * an id planted by an attacker is never signed in.
   */
  regenerate(): void {
    this.#write().#regenerated = true
    this.#values.delete(csrfKey)
  }

  /**
   * Keeps the session in the store although nobody has signed in: for a sign-in with several steps that
   * must be ended on the server. Without `guests: 'store'`, a guest's session is in the cookie.
   */
  keepInStore(): void {
    this.#write().#stored = true
  }

  /** Deletes everything, including flash values. */
  flush(): void {
    this.#write().#values.clear()
    this.#flash.clear()
  }

  /**
   * Discards all writes of this request, past and future, and its session cookie: for a request that
   * lost a race and must not overwrite what the winner sent.
   */
  discardWrites(): void {
    this.#discarded = true
  }

  /**
   * Adds a check that runs after the session is saved; unless all checks return true, the session is
   * ended again and no cookie is sent. For sign-ins: the password or device may have been revoked in
   * the meantime, and the revocation could not end a session that was not stored yet.
   */
  confirmAfterSave(confirm: SessionConfirmation): void {
    this.#write().#confirmations = [...(this.#confirmations ?? []), confirm]
  }

  /**
   * Adds a function that runs if another request gave the session a new id first. That request then
   * wins, and this one leaves no session and no cookie; `undo` removes what else it has stored.
   */
  undoIfLost(undo: () => Promise<unknown>): void {
    this.#write().#undos = [...this.#undos, undo]
  }

  /** Whether another request gave the session a new id first; known after the save. */
  get lostRace(): boolean {
    return this.#lostRace
  }

  /** Whether the session of the browser's cookie has since been given another id. */
  async isMoved(): Promise<boolean> {
    const kept = await this.#read()
    return (kept === null || kept.isGuest) && (await this.#keeper.isMoved())
  }

  /** Whether nobody has signed in with the session as it was read. */
  async isGuest(): Promise<boolean> {
    const kept = await this.#read()
    return kept === null || this.#keeper.isGuest(kept.data)
  }

  /** Whether the browser's cookie names a live session of the store, rather than holding a guest's. */
  async isLive(): Promise<boolean> {
    return (await this.#read())?.isGuest === false
  }

  /**
   * Whether the session that the browser sent is no longer in the store, asked anew: a request can take a
   * minute to send its body, and its session may have ended since it was let in.
   */
  async hasEnded(): Promise<boolean> {
    return (await this.isLive()) && (await this.#keeper.find()) === null
  }

  /** The names of its keys as far as they are known: a session that was not read yet has none. */
  get keys(): readonly string[] {
    return Object.keys(this.#values.apply(this.#kept?.data.values ?? {}))
  }

  /** The values flashed by this request. */
  get flashed(): KeyedValues {
    return this.#flash.apply({})
  }

  /** Digest of the id, or of what stands for it in a guest's cookie; null if there is none. */
  get digest(): string | null {
    return this.#keeper.digest
  }

  /** The new value of the cookie; null if there is nothing to send. */
  get issued(): string | null {
    return this.#discarded || this.#lostRace ? null : this.#keeper.issued
  }

  /**
   * Saves the changes, once; null if there is nothing to wait for. Called by the middleware.
   * @throws HttpError 503 if the store fails; InvalidArgumentException above 64 KiB.
   */
  commit(): Promise<void> | null {
    if (this.#closed) return null
    this.#closed = true
    if (this.#discarded) return null
    if (this.#regenerated || this.#stored || !this.#values.isEmpty || !this.#flash.isEmpty) {
      return this.#saveAndConfirm()
    }
    if (this.#kept?.isGuest === false) this.#keeper.renew(this.#kept)
    return null
  }

  async #takeFlash(key: string): Promise<unknown> {
    const change = this.#flash.find(key)
    // What is known to be absent need not be deleted, and the session not be saved.
    const isAbsent = this.#write().#isRead && !Object.hasOwn(this.#kept?.data.flash ?? {}, key)
    if (change === null && isAbsent) return null
    this.#flash.delete(key)
    if (change !== null) return change.value
    return valueIn((await this.#read())?.data.flash, key)
  }

  // The first write starts reading the session: if it ends before the save, that can then be told from
  // a session that never existed, and no new one takes its place.
  #write(): this {
    if (this.#closed) {
      throw new FrameworkError(
        'E_SESSION_CLOSED',
        'the session was already saved, after the handler; write to it earlier, inside the Sessions middleware',
      )
    }
    // A failure surfaces when the session is saved.
    if (!this.#isRead && this.#reading === null) this.#readFirst()?.catch(() => {})
    return this
  }

  #read(): KeptSession | null | Promise<KeptSession | null> {
    if (this.#isRead) return this.#kept
    return this.#reading ?? this.#readFirst() ?? this.#kept
  }

  /** Null if the store is synchronous. */
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

  async #saveAndConfirm(): Promise<void> {
    await this.#save()
    if (this.#lostRace) {
      for (const undo of this.#undos) await undo()
    } else if (this.#confirmations !== null) await this.#confirm(this.#confirmations)
  }

  // The changes are reapplied to what is stored until no other request interferes: concurrent changes
  // are all kept, and if two set the same key, the last save wins.
  async #save(): Promise<void> {
    const keeper = this.#keeper
    let kept = await this.#read()
    if (kept === null) return this.#createUnlessMoved()
    if (kept.isGuest) return this.#saveGuest(kept)
    const mark = this.#regenerated ? await keeper.markMove() : null
    for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
      const data = this.#changed(kept.data)
      if (data === kept.data && !this.#regenerated) return keeper.renew(kept)
      const isSaved = await this.#replace(kept, data)
      if (isSaved) return undefined
      kept = await keeper.find()
      if (kept === null) return this.#saveMissing(mark)
    }
    throw unavailable('too many concurrent requests changed the session')
  }

  #replace(kept: KeptSession, data: SessionData): Promise<boolean> {
    const keeper = this.#keeper
    if (!this.#regenerated) return keeper.save(kept, data)
    return this.#needsRow(data) ? keeper.move(kept, data) : keeper.leave(data)
  }

  // Of several requests that give the same guest a row, one wins, as with those that move a row.
  async #saveGuest(kept: KeptSession): Promise<void> {
    // The token of a guest is no longer valid when the guest signs in, even without `regenerate`.
    const data = this.#changed(kept.data)
    if (this.#needsRow(data)) {
      if (this.#values.find(csrfKey) === null) this.#values.delete(csrfKey)
      this.#lostRace = !(await this.#keeper.enter(this.#changed(kept.data)))
    } else if (data !== kept.data || this.#regenerated) {
      this.#keeper.saveGuest(data, this.#regenerated ? null : kept)
    }
  }

  // The session was ended, or another request gave it a new id. Ordinary changes are lost with it. A
  // request that regenerates creates a session of its own writes if the old one was ended; if another
  // request moved it first, that one's session is the browser's only session.
  async #saveMissing(mark: MoveMark | null): Promise<void> {
    if (mark === null) return
    this.#lostRace = await mark.isShared()
    if (!this.#lostRace) await this.#create()
  }

  // All of them run, since each may have something to undo.
  async #confirm(confirmations: readonly SessionConfirmation[]): Promise<void> {
    let stays = false
    try {
      const results: boolean[] = []
      for (const confirm of confirmations) results.push(await confirm())
      stays = results.every(Boolean)
    } finally {
      if (!stays) await this.#keeper.destroy()
    }
  }

  // Of concurrent sign-ins one may arrive after another was done, when its session is already missing.
  async #createUnlessMoved(): Promise<void> {
    this.#lostRace = this.#regenerated && (await this.#keeper.isJustMoved())
    if (!this.#lostRace) await this.#create()
  }

  async #create(): Promise<void> {
    const data = this.#changed(emptyData)
    if (isEmpty(data)) return
    if (this.#needsRow(data)) await this.#keeper.createRow(data)
    else this.#keeper.saveGuest(data, null)
  }

  #needsRow(data: SessionData): boolean {
    return this.#stored || this.#keeper.needsRow(data)
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
