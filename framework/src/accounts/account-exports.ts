import { randomBytes } from 'node:crypto'
import { Readable, addAbortSignal } from 'node:stream'
import { nullIfDuplicate } from '../database/database-error.ts'
import type { ObjectRow } from '../database/sql/plan/declared-rows.ts'
import type { Database } from '../database/surface.ts'
import { sql } from '../database/sql/plan/statement.ts'
import type { Job } from '../queue/job.ts'
import type { Queue } from '../queue/queue.ts'
import type { Schema } from '../migrations/schema.ts'
import type { Disk, ObjectPage } from '../storage/disk.ts'
import type { ChangeOptions, CredentialsOrigin } from './changes/credentials-options.ts'
import type { Credentials } from './changes/credentials.ts'
import { SecretRows } from './tokens/secret-rows.ts'
import type { SecretRowsOptions } from './tokens/secret-rows.ts'
import { checkedUser, expiryOf } from './tokens/token.ts'
import type { ExportParts } from './account-parts.ts'

/** Options of `AccountExports`. */
export interface AccountExportsOptions extends SecretRowsOptions {
  readonly credentials: Pick<Credentials, 'hold'>
  /** Where the files are, under `exports/`: a bucket, or a folder that all machines of a site share. */
  readonly files: Disk
  /** What is in a file: `{ ...accountParts({ users, trust }), orders: (user) => … }`. */
  readonly parts: ExportParts
  /** Holds the work to be done by `work`. */
  readonly queue: Queue<ExportJob>
  /** Seconds for which a file can be downloaded. @default 172800, 48 hours */
  readonly keep?: number
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
  /** The disk of the files. */
  readonly files: Disk
  readonly #options: AccountExportsOptions
  readonly #rows: SecretRows
  readonly #keep: number

  constructor(database: Database, options: AccountExportsOptions) {
    const { keep = 172_800 } = options
    this.files = options.files
    this.#options = options
    this.#rows = new SecretRows(database, 'account_exports', options)
    this.#keep = expiryOf(0, keep)
  }

  /**
   * Asks for a file, instead of an earlier one; false while one is being made. Of concurrent calls one wins.
   * @throws DatabaseError; FrameworkError E_SESSION_ENDED.
   */
  async request(user: string, options: ChangeOptions): Promise<boolean> {
    const handle = randomBytes(16).toString('hex')
    const before = await this.#find(checkedUser(user))
    const { credentials } = this.#options
    const asked = await credentials.hold(user, options, async (transaction, _account, tell) => {
      const now = this.#rows.now()
      const expires = now + this.#keep
      await tell('ExportRequested')
      const replaced = await transaction.run(sql`UPDATE ${this.#rows.name} SET handle = ${handle},
        state = 'waiting', size = 0, expires = ${expires}, created_at = ${now}
        WHERE user_id = ${user} AND (state = 'ready' OR created_at <= ${now - staleAfter})`)
      if (replaced.affected === 1) return true
      const insert = sql`INSERT INTO ${this.#rows.name}
        (user_id, handle, state, size, expires, created_at)
        VALUES (${user}, ${handle}, 'waiting', 0, ${expires}, ${now})`
      return transaction.transaction((inner) => inner.run(insert)).then(() => true, nullIfDuplicate)
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

  /** The key of the file of an account, to be sent to its owner from `files`; null if there is none. */
  async open(user: string, origin: CredentialsOrigin = {}): Promise<string | null> {
    const row = await this.#find(user)
    if (row?.['state'] !== 'ready' || Number(row['expires']) <= this.#rows.now()) return null
    const key = keyOf(String(row['handle']))
    return this.#options.credentials.hold(
      user,
      { keep: null, ...origin },
      async (_transaction, _account, tell) => {
        await tell('ExportDownloaded')
        return key
      },
    )
  }

  /** The handler of the queue: makes the file. */
  readonly work: (job: Job<ExportJob>) => Promise<void> = async ({ payload, signal }) => {
    const { user, handle } = payload
    const row = await this.#find(user)
    // The job of an account that is gone, or of a request that another one has replaced.
    if (row?.['handle'] !== handle || row['state'] !== 'waiting') return
    const { credentials, parts } = this.#options
    const text = exportText(user, parts, this.#rows.now())
    const { size } = await this.files.put(
      keyOf(handle),
      addAbortSignal(signal, Readable.from(text)),
    )
    const ready = await credentials.hold(
      user,
      { keep: null },
      async (transaction, _account, tell) => {
        const { affected } = await transaction.run(sql`UPDATE ${this.#rows.name}
        SET state = 'ready', size = ${size}, expires = ${this.#rows.now() + this.#keep}
        WHERE user_id = ${user} AND handle = ${handle} AND state = 'waiting'`)
        if (affected === 0) return null
        await tell('ExportReady')
        return true
      },
    )
    // The account was deleted in the meantime.
    if (ready === null) await this.#remove(handle)
  }

  /** Deletes expired files, and those of deleted accounts; resolves with the number of files. */
  async sweep(): Promise<number> {
    await this.#rows.sweepExpired()
    let removed = 0
    let cursor: string | null = null
    do {
      const page: ObjectPage = await this.files.list(folder, { cursor })
      for (const { key } of page.objects) {
        const handle = key.slice(folder.length, -'.json'.length)
        if (!/^[0-9a-f]{32}$/.test(handle) || (await this.#isKnown(handle))) continue
        await this.#remove(handle)
        removed += 1
      }
      cursor = page.cursor
    } while (cursor !== null)
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

  #remove(handle: string): Promise<void> {
    return this.files.delete(keyOf(handle))
  }
}

const folder = 'exports/'

function keyOf(handle: string): string {
  return `${folder}${handle}.json`
}

/** The data of an account as JSON. One value at a time is in memory. */
export async function* exportText(
  user: string,
  parts: ExportParts,
  now: number,
): AsyncGenerator<string> {
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
export async function createAccountExportsTable(schema: Schema): Promise<void> {
  await schema.createTable('account_exports', (table) => {
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
