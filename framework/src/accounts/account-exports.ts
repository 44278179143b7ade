import { randomBytes } from 'node:crypto'
import { readdir, rm, mkdir, rename, stat } from 'node:fs/promises'
import { join, dirname } from 'node:path'
import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { hasCode } from '../base/errors.ts'
import { nullIfDuplicate } from '../database/database-error.ts'
import type { ObjectRow } from '../database/sql/plan/declared-rows.ts'
import type { Database } from '../database/surface.ts'
import { sql } from '../database/sql/plan/statement.ts'
import type { Emitter } from '../events/emitter.ts'
import type { Job } from '../queue/job.ts'
import type { Queue } from '../queue/queue.ts'
import type { Schema } from '../migrations/schema.ts'
import { privateFile, privateFolder } from '../base/files/private-files.ts'
import type { ChangeOptions, CredentialsOrigin } from './changes/credentials-options.ts'
import type { Credentials } from './changes/credentials.ts'
import type { AccountActivity } from './account-activity.ts'
import { ChangeJournal, unheld } from './changes/change-journal.ts'
import type { RunChange } from './changes/change-journal.ts'
import { SecretRows } from './tokens/secret-rows.ts'
import type { SecretRowsOptions } from './tokens/secret-rows.ts'
import { checkedUser, expiryOf } from './tokens/token.ts'
import type { ExportParts } from './account-parts.ts'

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
  readonly #journal: ChangeJournal
  readonly #keep: number

  constructor(database: Database, options: AccountExportsOptions) {
    const { keep = 172_800 } = options
    this.#database = database
    this.#options = options
    this.#rows = new SecretRows(database, 'account_exports', options)
    this.#journal = new ChangeJournal(options)
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
    const asked = await this.#journal.change(run, entry, async (surface) => {
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
    await this.#journal.change(unheld(this.#database), entry, async () => true)
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
    const ready = await this.#journal.change(run, entry, async (surface) => {
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

/** What is written, and where. */
interface WriteExportOptions {
  readonly path: string
  readonly user: string
  readonly parts: ExportParts
  /** Epoch seconds. */
  readonly now: number
  readonly signal: AbortSignal
}

/**
 * Writes the data of an account into a file that only this user of the machine can read, and resolves with
 * its size. It has its name only when it is complete. One value at a time is in memory.
 */
export async function writeExport(options: WriteExportOptions): Promise<number> {
  const { path, signal } = options
  const partial = `${path}.part`
  await mkdir(dirname(path), { recursive: true, mode: privateFolder })
  try {
    const file = createWriteStream(partial, { mode: privateFile, flags: 'w' })
    await pipeline(Readable.from(textOf(options)), file, { signal })
    const { size } = await stat(partial)
    await rename(partial, path)
    return size
  } catch (error) {
    await rm(partial, { force: true })
    throw error
  }
}

async function* textOf({ user, parts, now }: WriteExportOptions): AsyncGenerator<string> {
  yield `{\n"created": ${JSON.stringify(new Date(now * 1000).toISOString())}`
  for (const [name, read] of Object.entries(parts)) {
    yield `,\n${JSON.stringify(name)}: `
    const part = read(user)
    if (isIterable(part)) yield* listOf(part)
    else yield textOfValue(await part)
  }
  yield '\n}\n'
}

async function* listOf(values: AsyncIterable<unknown>): AsyncGenerator<string> {
  let before = '[\n'
  for await (const value of values) {
    yield before + textOfValue(value)
    before = ',\n'
  }
  yield before === '[\n' ? '[]' : '\n]'
}

function textOfValue(value: unknown): string {
  return JSON.stringify(value ?? null)
}

function isIterable(
  part: Promise<unknown> | AsyncIterable<unknown>,
): part is AsyncIterable<unknown> {
  return Symbol.asyncIterator in part
}

/**
 * Creates the table for `AccountExports`, in a migration: `await createAccountExportsTable(schema)`. Its
 * `down` is `schema.dropTable('account_exports')`.
 */
export async function createAccountExportsTable(
  schema: Schema,
  name: string = 'account_exports',
): Promise<void> {
  await schema.createTable(name, (table) => {
    table.key()
    // One per account, so that nobody can fill the disk. Text without a foreign key: the project decides
    // which table and column hold the accounts.
    table.text('user_id', { length: 255 }).unique()
    // The name of the file.
    table.char('handle', 32).unique()
    table.text('state', { length: 8 })
    table.bigint('size')
    table.bigint('expires')
    table.bigint('created_at')
    table.index(['expires'])
  })
}
