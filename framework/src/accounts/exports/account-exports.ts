import { randomBytes } from 'node:crypto'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { hasCode } from '../../base/files/has-code.ts'
import type { ObjectRow } from '../../database/sql/rows/declared-rows.ts'
import type { Database } from '../../database/surface.ts'
import { sql } from '../../database/sql/plan/statement.ts'
import { nullIfDuplicate } from '../../database/database-error.ts'
import { Emitter } from '../../events/emitter.ts'
import type { Job } from '../../queue/job.ts'
import type { Queue } from '../../queue/queue.ts'
import type { ChangeOptions, CredentialsOrigin } from '../credentials-options.ts'
import type { Credentials } from '../credentials.ts'
import type { AccountActivity } from '../activity/account-activity.ts'
import { recordChange, unheld } from '../activity/record-change.ts'
import type { ChangeRecorder, RunChange } from '../activity/record-change.ts'
import { SecretRows } from '../tokens/secret-rows.ts'
import type { SecretRowsOptions } from '../tokens/secret-rows.ts'
import { checkedUser, expiryOf } from '../tokens/token.ts'
import type { ExportParts } from './export-part.ts'
import { writeExport } from './write-export.ts'

/** Options of `AccountExports`. */
export interface AccountExportsOptions extends SecretRowsOptions {
  readonly credentials: Pick<Credentials, 'hold'>
  /** Where the files are; created for this user of the machine alone. Shared by all machines of a site. */
  readonly folder: string
  /** What is in a file: `{ ...accountParts({ users, trust }), orders: (user) => … }`. */
  readonly parts: ExportParts
  /** Holds the work to be done by `work`. */
  readonly queue: Queue<ExportJob>
  /** Seconds for which a file can be downloaded. @default 172800, 48 hours */
  readonly keep?: number
  /** Records requests, files and downloads. @default nothing is recorded */
  readonly activity?: AccountActivity | null
  /** Receives the events of exports. @default Emitter.Instance */
  readonly emitter?: Emitter
}

/** The payload of a job that makes a file. */
export interface ExportJob {
  readonly user: string
  readonly handle: string
}

/** The export of an account. Times are epoch seconds. */
export interface AccountExport {
  /** `waiting` until the file is made. */
  readonly state: 'waiting' | 'ready'
  /** Bytes; 0 while it is waiting. */
  readonly size: number
  readonly created: number
  /** When the file is deleted. */
  readonly expires: number
}

/** Seconds after which a file that is not made yet can be asked for again. */
const staleAfter = 3600

/**
 * The data of accounts in files, for their owners. An account has at most one; it is made by a job and
 * deleted when it expires. Methods reject with the DatabaseError of their statement.
 */
export class AccountExports {
  readonly #database: Database
  readonly #options: AccountExportsOptions
  readonly #rows: SecretRows
  readonly #recorder: ChangeRecorder
  readonly #keep: number

  constructor(database: Database, options: AccountExportsOptions) {
    const { activity = null, emitter = Emitter.Instance, keep = 172_800 } = options
    this.#database = database
    this.#options = options
    this.#rows = new SecretRows(database, 'account_exports', options)
    this.#recorder = { activity, emitter, clock: () => this.#rows.now() }
    this.#keep = expiryOf(0, keep)
  }

  /**
   * Asks for a file, instead of an earlier one; false while one is being made. Of concurrent calls one wins.
   * @throws DatabaseError; FrameworkError E_SESSION_ENDED.
   */
  async request(user: string, options: ChangeOptions): Promise<boolean> {
    const handle = randomBytes(16).toString('hex')
    const before = await this.#find(checkedUser(user))
    const entry = { user, event: 'ExportRequested', ...options } as const
    const run: RunChange = (work) => this.#options.credentials.hold(user, options, work)
    const asked = await recordChange(run, this.#recorder, entry, async (surface) => {
      const now = this.#rows.now()
      const isOver = sql`(state = 'ready' OR created_at <= ${now - staleAfter})`
      const row = { handle, now, expires: now + this.#keep }
      const replaced = await surface.run(sql`UPDATE ${this.#rows.name} SET handle = ${row.handle},
        state = 'waiting', size = 0, expires = ${row.expires}, created_at = ${now}
        WHERE user_id = ${user} AND ${isOver}`)
      if (replaced.affected === 1) return true
      const insert = sql`INSERT INTO ${this.#rows.name}
        (user_id, handle, state, size, expires, created_at)
        VALUES (${user}, ${handle}, 'waiting', 0, ${row.expires}, ${now})`
      return surface.transaction((inner) => inner.run(insert)).then(() => true, nullIfDuplicate)
    })
    if (asked === null) return false
    if (before !== null) await this.#remove(String(before['handle']))
    await this.#push({ user, handle })
    return true
  }

  /** The export of an account; null if it has none. */
  async status(user: string): Promise<AccountExport | null> {
    const row = await this.#find(user)
    if (row === null || Number(row['expires']) <= this.#rows.now()) return null
    return {
      state: row['state'] === 'ready' ? 'ready' : 'waiting',
      size: Number(row['size']),
      created: Number(row['created_at']),
      expires: Number(row['expires']),
    }
  }

  /** The path of the file of an account, to be sent to its owner; null if there is none. */
  async open(user: string, origin: CredentialsOrigin = {}): Promise<string | null> {
    const status = await this.status(user)
    const row = status?.state === 'ready' ? await this.#find(user) : null
    if (row === null) return null
    const entry = { user, event: 'ExportDownloaded', ...origin } as const
    await recordChange(unheld(this.#database), this.#recorder, entry, async () => true)
    return this.#path(String(row['handle']))
  }

  /** The handler of the queue: makes the file. */
  readonly work: (job: Job<ExportJob>) => Promise<void> = async ({ payload, signal }) => {
    const { user, handle } = payload
    const row = await this.#find(user)
    // The job of an account that is gone, or of a request that another one has replaced.
    if (row?.['handle'] !== handle || row['state'] !== 'waiting') return
    const { parts } = this.#options
    const path = this.#path(handle)
    const size = await writeExport({ path, user, parts, now: this.#rows.now(), signal })
    const entry = { user, event: 'ExportReady' } as const
    const run = unheld(this.#database)
    const ready = await recordChange(run, this.#recorder, entry, async (surface) => {
      const { affected } = await surface.run(sql`UPDATE ${this.#rows.name}
        SET state = 'ready', size = ${size}, expires = ${this.#rows.now() + this.#keep}
        WHERE user_id = ${user} AND handle = ${handle} AND state = 'waiting'`)
      return affected === 1 ? true : null
    })
    // The account was deleted in the meantime.
    if (ready === null) await this.#remove(handle)
  }

  /** Deletes expired files, and those of deleted accounts; resolves with the number of files. */
  async sweep(): Promise<number> {
    const { folder } = this.#options
    await this.#rows.failClosed(0, () => this.#rows.sweepExpired())
    const names = await readdir(folder).catch((error: unknown) => {
      if (hasCode(error, 'ENOENT')) return []
      throw error
    })
    let removed = 0
    for (const name of names) {
      const [, handle] = /^([0-9a-f]{32})\.json(?:\.part)?$/.exec(name) ?? []
      if (handle === undefined || (await this.#isKnown(handle))) continue
      await rm(join(folder, name), { force: true })
      removed += 1
    }
    return removed
  }

  // Without its job a request would only be in the way of the next one.
  async #push(job: ExportJob): Promise<void> {
    try {
      await this.#options.queue.push(job)
    } catch (error) {
      await this.#rows.drop(sql`user_id = ${job.user} AND handle = ${job.handle}`)
      throw error
    }
  }

  async #find(user: string): Promise<ObjectRow | null> {
    const [row = null] = await this.#rows.rows(sql`SELECT handle, state, size, expires, created_at
      FROM ${this.#rows.name} WHERE user_id = ${user}`)
    return row
  }

  async #isKnown(handle: string): Promise<boolean> {
    const found = await this.#rows.rows(
      sql`SELECT id FROM ${this.#rows.name} WHERE handle = ${handle}`,
    )
    return found.length > 0
  }

  #path(handle: string): string {
    return join(this.#options.folder, `${handle}.json`)
  }

  async #remove(handle: string): Promise<void> {
    await rm(this.#path(handle), { force: true })
  }
}
