import { stat, access, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { constants, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { PendingWork } from '../../base/pending-work.ts'
import { toError } from '../../base/to-error.ts'
import { sqlite } from '../sql/dialects/sqlite.ts'
import type { Dialect } from '../sql/dialects/dialect.ts'
import type { Query } from '../sql/plan/statement.ts'
import { closedError, DatabaseError } from '../database-error.ts'
import { isolationLevel, repeatTransaction } from '../transaction-options.ts'
import { StatementSurface } from '../run-statement.ts'
import { doneOperation, failedOperation, pendingOperation } from '../operation.ts'
import type { Operation, Result } from '../operation.ts'
import { withQueryLog } from '../query-log.ts'
import type { QueryLog } from '../query-log.ts'
import type { Database, Transaction, TransactionOptions } from '../surface.ts'
import type { ConnectionSettings } from '../connection-settings.ts'
import { Deadline, isBusy, retryWhileBusy } from './busy-wait.ts'
import { SqliteConnection } from './sqlite-connection.ts'
import { SqliteTransactions } from './sqlite-transaction.ts'
import { unwritableReason } from '../../base/files/explain-unwritable.ts'
import {
  createPrivateFile,
  privateFile,
  privateFolder,
  tighten,
} from '../../base/files/private-files.ts'

// With a write-ahead log, a crash of the process loses no commit; a power failure may lose the last
// ones, but does not damage the file.
const shared = [
  'PRAGMA foreign_keys = ON',
  'PRAGMA synchronous = NORMAL',
  'PRAGMA journal_size_limit = 67108864',
]

const persistent = { writer: shared, reader: [...shared, 'PRAGMA query_only = ON'] }

// Nothing outlives the process, so nothing has to reach the disk.
const volatile = ['PRAGMA foreign_keys = ON', 'PRAGMA synchronous = OFF']

const temporary = { writer: volatile, reader: [...volatile, 'PRAGMA query_only = ON'] }

/** Seconds that opening may wait, however short requests may: several processes may create the file at once. */
const minOpening = 2

/**
 * Opens an SQLite database in WAL mode and creates the folder of its file. `sqlite::memory:` is a
 * file too, because several connections must share it: a private temporary file, removed when the
 * database is closed or the process exits.
 * @throws DatabaseError that says why the file cannot be used.
 */
export async function openSqlite(
  settings: ConnectionSettings,
  log: QueryLog | null,
): Promise<Database> {
  const label = settings.label
  const { path: file, remove: afterClose } = await prepareFile(settings.file)
  const { writer, reader } = settings.file === null ? temporary : persistent
  const openWriter = (): SqliteConnection => new SqliteConnection(file, writer)
  const openReader = (): SqliteConnection => new SqliteConnection(file, reader)
  try {
    const deadline = new Deadline(Math.max(settings.busyTimeout, minOpening))
    const main = await retryWhileBusy(() => inWal(openWriter()), deadline)
    const transactions = new SqliteTransactions({ ...settings, openWriter, openReader, log })
    return new SqliteDatabase({ label, file, main, transactions, log, afterClose })
  } catch (error) {
    await afterClose()
    throw unusable(label, error)
  }
}

// Only in this mode do readers and the writer not block each other; it is stored in the file.
function inWal(connection: SqliteConnection): SqliteConnection {
  try {
    const { rows } = connection.run({ sql: 'PRAGMA journal_mode = WAL', parameters: [], raw: true })
    if (Array.isArray(rows[0]) && rows[0][0] === 'wal') return connection
    throw new DatabaseError(
      'E_DATABASE',
      'the file cannot have a write-ahead log; it must be writable and on a local disk',
    )
  } catch (error) {
    connection.close()
    throw error
  }
}

function unusable(label: string, error: unknown): unknown {
  if (!(error instanceof DatabaseError)) return error
  const { code, message, native } = error
  return new DatabaseError(code, `${label} cannot be opened: ${message}`, { native })
}

/** The parts of a `SqliteDatabase`. */
interface SqliteParts {
  readonly label: string
  readonly file: string
  readonly main: SqliteConnection
  readonly transactions: SqliteTransactions
  readonly log: QueryLog | null
  /** Called after the last connection is closed. */
  readonly afterClose: () => Promise<void>
}

/**
 * An SQLite database. Statements outside transactions run synchronously on one connection; only if
 * the file is locked does `dispatch` return a pending operation, which retries.
 */
export class SqliteDatabase extends StatementSurface implements Database {
  readonly dialect: Dialect = sqlite
  readonly kind = 'sync'
  readonly serial = false
  readonly transactional = false
  readonly label: string
  readonly #parts: SqliteParts
  readonly #send: (query: Query) => Operation
  readonly #pending = new PendingWork()
  #closed: Promise<void> | null = null

  constructor(parts: SqliteParts) {
    super()
    this.label = parts.label
    this.#parts = parts
    this.#send = withQueryLog((query) => this.#attempt(query), parts.log, sqlite.system)
  }

  dispatch(query: Query): Operation {
    return this.#send(query)
  }

  pipeline(first: Query, second: Query): readonly [Operation, Operation] {
    return [this.dispatch(first), this.dispatch(second)]
  }

  protected override resultOf(query: Query): Result | Promise<Result> {
    const operation = this.dispatch(query)
    return operation.state === 'done' ? operation.result : operation.settled()
  }

  async transaction<T>(
    work: (transaction: Transaction) => Promise<T> | T,
    options: TransactionOptions = {},
  ): Promise<T> {
    if (this.#closed !== null) throw closedError()
    isolationLevel(options)
    const { transactions } = this.#parts
    const { readOnly = false, foreignKeys = true } = options
    const attempt = (): Promise<T> =>
      readOnly ? transactions.read(work) : transactions.write(work, foreignKeys)
    return this.#pending.add(repeatTransaction(options, attempt))
  }

  /** Reads from the file, and checks that it still exists. */
  async ping(): Promise<void> {
    await this.run({ sql: 'SELECT count(*) FROM sqlite_schema', parameters: [] })
    try {
      await stat(this.#parts.file)
    } catch {
      throw new DatabaseError('E_DATABASE', `the file of ${this.label} is gone`)
    }
  }

  close(): Promise<void> {
    this.#closed ??= this.#close()
    return this.#closed
  }

  async #close(): Promise<void> {
    const { main, transactions, afterClose } = this.#parts
    await this.#pending.finished()
    transactions.close()
    optimize(main)
    main.close()
    await afterClose()
  }

  #attempt(query: Query): Operation {
    if (this.#closed !== null) return failedOperation(query, closedError())
    try {
      return doneOperation(query, this.#run(query))
    } catch (error) {
      if (!isBusy(error)) return failedOperation(query, toError(error))
      const retry = (deadline: Deadline): Promise<Result> =>
        retryWhileBusy(() => this.#run(query), deadline)
      const response = this.#parts.transactions.afterWriters(retry)
      return pendingOperation(query, this.#pending.add(response))
    }
  }

  #run(query: Query): Result {
    const { main } = this.#parts
    const result = main.run(query)
    if (!main.isInTransaction) return result
    // All other requests of the process would run inside it.
    main.run({ sql: 'ROLLBACK', parameters: [] })
    throw new DatabaseError('E_STATEMENT', 'start transactions with transaction(), not with BEGIN')
  }
}

// Updates the statistics of the query planner; may be skipped while another process is writing.
function optimize(connection: SqliteConnection): void {
  try {
    connection.run({ sql: 'PRAGMA optimize', parameters: [] })
  } catch {}
}

/** A file that a database can be opened in. */
interface PreparedFile {
  readonly path: string
  /** Removes a temporary file and its folder, when the database is closed. */
  readonly remove: () => Promise<void>
}

/**
 * Creates the folder of a file and keeps the file private; null for a temporary one.
 * @throws DatabaseError that says why the file cannot be used.
 */
async function prepareFile(file: string | null): Promise<PreparedFile> {
  if (file === null) {
    const temporary = await temporaryFile('database.sqlite')
    createPrivateFile(temporary.path)
    return temporary
  }
  // Absolute, since more connections are opened later, perhaps from another working directory.
  const path = resolve(file)
  const folder = dirname(path)
  try {
    await mkdir(folder, { recursive: true, mode: privateFolder })
    // SQLite keeps other files beside it, such as the write-ahead log.
    await access(folder, constants.W_OK | constants.X_OK)
  } catch (error) {
    const reason = unwritableReason(error, folder) ?? `its folder cannot be created`
    throw new DatabaseError(
      'E_DATABASE',
      `the SQLite file ${path} cannot be opened: ${reason}, or name another file in DATABASE_URL`,
    )
  }
  createPrivateFile(path)
  // SQLite gives the files beside a database the permissions of the database.
  for (const suffix of ['', '-wal', '-shm', '-journal']) tighten(path + suffix, privateFile)
  return { path, remove: () => Promise.resolve() }
}

const folders = new Set<string>()

/** Creates a folder for a file; it is removed when the process exits, if not before. */
export async function temporaryFile(name: string): Promise<PreparedFile> {
  const folder = await mkdtemp(join(tmpdir(), 'framework-'))
  if (folders.size === 0) process.on('exit', removeAll)
  folders.add(folder)
  return { path: join(folder, name), remove: () => remove(folder) }
}

async function remove(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true })
  folders.delete(folder)
  if (folders.size === 0) process.off('exit', removeAll)
}

function removeAll(): void {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
}
