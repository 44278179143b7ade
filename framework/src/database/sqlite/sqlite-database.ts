import { stat } from 'node:fs/promises'
import { PendingWork } from '../../base/pending-work.ts'
import { toError } from '../../base/to-error.ts'
import { sqlite } from '../sql/dialects/sqlite.ts'
import type { Dialect } from '../sql/dialects/dialect.ts'
import type { Query, Statement } from '../sql/plan/statement.ts'
import { closedError, DatabaseError } from '../database-error.ts'
import { isolationLevel, repeatTransaction } from '../transaction-options.ts'
import { asDeclared, objectRows, toQuery } from '../run-statement.ts'
import type { ObjectRow } from '../sql/plan/declared-rows.ts'
import { doneOperation, failedOperation, pendingOperation } from '../operation.ts'
import type { Operation, Result } from '../operation.ts'
import { withQueryLog } from '../query-log.ts'
import type { QueryLog } from '../query-log.ts'
import type { Database, Transaction, TransactionOptions } from '../surface.ts'
import type { ConnectionSettings } from '../connection-settings.ts'
import { Deadline, isBusy, retryWhileBusy } from './busy-wait.ts'
import { SqliteConnection } from './sqlite-connection.ts'
import { SqliteTransactions } from './sqlite-transaction.ts'
import { prepareFile } from './sqlite-file.ts'

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
  const { file, afterClose } = await prepareFile(settings.file)
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
export class SqliteDatabase implements Database {
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

  async run(statement: Query | Statement<unknown>): Promise<Result> {
    const operation = this.dispatch(toQuery(statement, this.dialect))
    // A promise takes longer than a short statement.
    const result = operation.state === 'done' ? operation.result : await operation.settled()
    return asDeclared(result, statement, this.dialect)
  }

  async rows<Row = ObjectRow>(statement: Query | Statement<Row>): Promise<readonly Row[]> {
    const operation = this.dispatch(toQuery(statement, this.dialect))
    const result = operation.state === 'done' ? operation.result : await operation.settled()
    const declared = asDeclared(result, statement, this.dialect)
    return objectRows(declared instanceof Promise ? await declared : declared, statement)
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
