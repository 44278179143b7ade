import { createHmac, randomUUID } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import type { Encrypter } from '../base/crypto/encrypter.ts'
import { invalidArgument } from '../base/errors.ts'
import type { InvalidArgumentException } from '../base/errors.ts'
import { epochSeconds } from '../base/time/epoch-seconds.ts'
import { isRecord } from '../base/is-record.ts'
import { Throwables } from '../errors/throwables/throwables.ts'
import type { ApplicationKey } from '../settings/application-key.ts'
import { ExpiringTable } from '../database/expiring-table.ts'
import { committedTransaction } from '../database/transaction-options.ts'
import { sql } from '../database/sql/plan/statement.ts'
import type { ObjectRow } from '../database/sql/plan/declared-rows.ts'
import type { Surface } from '../database/surface.ts'
import type { Schema } from '../migrations/schema.ts'
import type { Mailer } from './mailer.ts'
import { Message } from './message.ts'

/** A mail to one address, as `GatheredMails` keeps it. */
export interface GatheredMail {
  readonly to: string
  /** The language of its view. @default that of the project */
  readonly language?: string | null
  /** The time zone of its view. @default that of the project */
  readonly timeZone?: string | null
  readonly subject: string
  readonly view: string
  /** JSON values. */
  readonly data: Readonly<Record<string, unknown>>
}

/** Options of `GatheredMails`. Times are seconds. */
export interface GatheredMailsOptions {
  readonly mailer: Pick<Mailer, 'deliver'>
  /** Encrypts the mails, and keys the digests of their addresses. */
  readonly key: ApplicationKey
  /** Makes one mail of several to the same address, oldest first. A single one is sent as it is. */
  readonly combine: (mails: readonly [GatheredMail, ...GatheredMail[]]) => GatheredMail
  /** From the first mail that waits until all are sent. @default 300 */
  readonly delay?: number
  /** Created by `createGatheredMailsTable`. @default 'gathered_mails' */
  readonly table?: string
  readonly throwables?: Throwables
  /** Epoch seconds. */
  readonly clock?: () => number
}

/** How long one process may take to send the mails of an address, before another one does. */
const leaseSeconds = 300
/** For how long they are tried again: a mail server may refuse them, or this process lack their key. */
const retrySeconds = 86_400
/** Seconds after which a timer looks again in any case. */
const maxPause = 3600
const batch = 100

/**
 * Mails that wait a few minutes, so that an address gets one instead of many: what is over a limit comes
 * a little later rather than never. They are in a table, encrypted, so a crash loses none, and of all
 * processes one sends them: the one that has added them, any that starts, or a sweep of the project.
 */
export class GatheredMails {
  readonly #options: GatheredMailsOptions
  readonly #rows: ExpiringTable
  readonly #encrypter: Encrypter
  readonly #digestKey: KeyObject
  readonly #now: () => number
  /** Whose timer is set; not that of a transaction. */
  #waiting: GatheredMails = this
  #timer: NodeJS.Timeout | undefined
  #wakesMs = Infinity
  #looking: Promise<void> = Promise.resolve()
  #isFailing = false
  #isClosed = false

  /** Pass a transaction as the surface to make `add` part of it. */
  constructor(surface: Surface, options: GatheredMailsOptions) {
    const { key, table = 'gathered_mails', clock = epochSeconds } = options
    this.#options = options
    this.#rows = new ExpiringTable(surface, table, 'id')
    this.#encrypter = key.encrypter('gathered mails')
    this.#digestKey = key.derive('gathered mails')
    this.#now = () => Math.floor(clock())
  }

  /** The same on another surface: a transaction, with which mails are added or not. */
  within(surface: Surface): GatheredMails {
    const inner = new GatheredMails(surface, this.#options)
    inner.#waiting = this.#waiting
    return inner
  }

  /**
   * Adds a mail. It is sent after `delay` seconds, or earlier with others to its address.
   * @throws DatabaseError
   */
  async add(mail: GatheredMail, options: { readonly delay?: number } = {}): Promise<void> {
    const { to, language, timeZone, subject, view, data } = mail
    const { delay = this.#options.delay ?? 300 } = options
    const recipient = createHmac('sha256', this.#digestKey).update(to).digest('hex')
    const content = Buffer.from(JSON.stringify({ to, language, timeZone, subject, view, data }))
    const now = this.#now()
    await this.#rows.run(sql`INSERT INTO ${this.#rows.name}
      (recipient, content, due, created_at)
      VALUES (${recipient}, ${this.#encrypter.encrypt(content, recipient)}, ${now + delay}, ${now})`)
    this.#waiting.#wake(delay)
  }

  /**
   * Sends what is due, to each address in one mail; resolves with the number of those mails.
   * @throws DatabaseError
   */
  async sweep(): Promise<number> {
    let sent = 0
    for (;;) {
      const now = this.#now()
      const found = await this.#rows.rows(sql`SELECT recipient, MAX(id) AS newest,
        MIN(CASE WHEN due <= ${now} THEN id END) AS oldest_due
        FROM ${this.#rows.name} GROUP BY recipient HAVING MIN(due) <= ${now}
        ORDER BY MIN(due), recipient LIMIT ${batch}`)
      for (const row of found) if (await this.#send(row)) sent += 1
      if (found.length < batch) return sent
    }
  }

  /** Sends what earlier processes have left and what becomes due, until `close`. */
  start(): void {
    this.#look()
  }

  /** Waits for the mails that are being sent. */
  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer)
    await this.#looking
  }

  // By a timer rather than every minute: there is hardly ever one.
  #wake(seconds: number): void {
    const atMs = performance.now() + Math.min(Math.max(seconds, 1), maxPause) * 1000
    if (this.#isClosed || this.#wakesMs <= atMs) return
    clearTimeout(this.#timer)
    this.#wakesMs = atMs
    this.#timer = setTimeout(() => this.#look(), atMs - performance.now()).unref()
  }

  #look(): void {
    this.#wakesMs = Infinity
    this.#looking = this.#looking.then(() => this.#sendDue())
  }

  async #sendDue(): Promise<void> {
    try {
      await this.sweep()
      const next = await this.#rows.rows(sql`SELECT MIN(due) AS due FROM ${this.#rows.name}`)
      const due = next[0]?.['due'] ?? null
      if (due !== null) this.#wake(Number(due) - this.#now())
      this.#isFailing = false
    } catch (error) {
      if (!this.#isFailing) this.#report(error)
      this.#isFailing = true
      this.#wake(maxPause)
    }
  }

  async #send({ recipient, newest, oldest_due: oldest }: ObjectRow): Promise<boolean> {
    const now = this.#now()
    const lease = randomUUID()
    const claim = sql`UPDATE ${this.#rows.name} SET lease = ${lease}, due = ${now + leaseSeconds}`
    // One row decides who sends them all, and nobody sees a part of them free. What is added meanwhile has a
    // greater id and waits its own time.
    const work = async (inner: Surface): Promise<boolean> => {
      const won = await inner.run(sql`${claim} WHERE id = ${oldest} AND due <= ${now}`)
      if (won.affected === 0) return false
      await inner.run(sql`${claim} WHERE recipient = ${recipient} AND id <= ${newest}
        AND (lease IS NULL OR due <= ${now})`)
      return true
    }
    if (!(await committedTransaction(this.#rows.surface, work))) return false
    const rows = await this.#rows.rows(sql`SELECT id, recipient, content
      FROM ${this.#rows.name} WHERE lease = ${lease} ORDER BY id`)
    const read = rows.map((row) => ({ id: row['id'], mail: this.#open(row) }))
    const mails = read.flatMap(({ mail }) => mail ?? [])
    const message = this.#messageOf(mails)
    const isSent = message !== null && (await this.#options.mailer.deliver(message))
    if (isSent) {
      const done = read.flatMap(({ id, mail }) => (mail === null ? [] : [id]))
      await this.#rows.drop(sql`lease = ${lease} AND id IN (${sql.list(done)})`)
    }
    // The others are tried again when the lease ends, perhaps by a process that has their key.
    await this.#rows.drop(sql`lease = ${lease} AND created_at <= ${now - retrySeconds}`)
    return isSent
  }

  // Null, and reported, if none can be made: those of other addresses are still sent.
  #messageOf(mails: readonly GatheredMail[]): Message | null {
    const [first, ...others] = mails
    if (first === undefined) return null
    try {
      const { combine } = this.#options
      return new Message({ ...(others.length === 0 ? first : combine([first, ...others])) })
    } catch (error) {
      this.#report(error)
      return null
    }
  }

  // Null, and reported, if its key is missing: the others are still sent.
  #open({ recipient, content }: ObjectRow): GatheredMail | null {
    try {
      if (!(content instanceof Uint8Array)) throw unreadable()
      const opened = this.#encrypter.decrypt(content, String(recipient))
      return readMail(JSON.parse(opened.toString()))
    } catch (error) {
      this.#report(error)
      return null
    }
  }

  #report(error: unknown): void {
    const { throwables = Throwables } = this.#options
    throwables.notify(error)
  }
}

/**
 * Creates the table for `GatheredMails`, in a migration: `await createGatheredMailsTable(schema)`. Its
 * `down` is `schema.dropTable('gathered_mails')`.
 */
export async function createGatheredMailsTable(
  schema: Schema,
  name: string = 'gathered_mails',
): Promise<void> {
  await schema.createTable(name, (table) => {
    table.key()
    // Keyed digest of the address.
    table.char('recipient', 64)
    // Encrypted, since mails contain links.
    table.bytes('content')
    // While somebody sends it, the time at which another one may.
    table.bigint('due')
    table.text('lease', { length: 36 }).nullable()
    table.bigint('created_at')
    table.index(['recipient', 'id'])
  })
}

function readMail(value: unknown): GatheredMail {
  if (!isRecord(value) || !isRecord(value['data'])) throw unreadable()
  const { to, language, timeZone, subject, view, data } = value
  return {
    to: String(to),
    language: typeof language === 'string' ? language : null,
    timeZone: typeof timeZone === 'string' ? timeZone : null,
    subject: String(subject),
    view: String(view),
    data,
  }
}

function unreadable(): InvalidArgumentException {
  return invalidArgument('a gathered mail cannot be read')
}
