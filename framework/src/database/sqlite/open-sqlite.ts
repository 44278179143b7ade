import { constants } from 'node:fs'
import { access, mkdir } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'

import { unwritableReason } from '../../base/files/explain-unwritable.ts'
import {
  createPrivateFile,
  privateFile,
  privateFolder,
  tighten,
} from '../../base/files/private-files.ts'
import { DatabaseError } from '../database-error.ts'
import type { DatabaseOptions } from '../database-options.ts'
import type { DatabaseSettings } from '../connection-settings.ts'
import type { Database } from '../surface.ts'
import { Deadline, retryWhileBusy } from './busy-wait.ts'
import { SqliteConnection } from './sqlite-connection.ts'
import { SqliteDatabase } from './sqlite-database.ts'
import { SqliteTransactions } from './sqlite-transactions.ts'
import { temporaryFile } from './temporary-file.ts'

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
  settings: DatabaseSettings,
  options: DatabaseOptions,
): Promise<Database> {
  const label = settings.label
  const { file, afterClose } = await prepareFile(settings.file)
  const { writer, reader } = settings.file === null ? temporary : persistent
  const openWriter = (): SqliteConnection => new SqliteConnection(file, writer)
  const openReader = (): SqliteConnection => new SqliteConnection(file, reader)
  try {
    const deadline = new Deadline(Math.max(settings.busyTimeout, minOpening))
    const main = await retryWhileBusy(() => inWal(openWriter()), deadline)
    const { log } = options
    const transactions = new SqliteTransactions({ ...settings, openWriter, openReader, log })
    return new SqliteDatabase({ label, file, main, transactions, log, afterClose })
  } catch (error) {
    await afterClose()
    throw unusable(label, error)
  }
}

interface PreparedFile {
  readonly file: string
  readonly afterClose: () => Promise<void>
}

async function prepareFile(file: string | null): Promise<PreparedFile> {
  if (file === null) {
    const { path, remove } = await temporaryFile('database.sqlite')
    createPrivateFile(path)
    return { file: path, afterClose: remove }
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
  keepPrivate(path)
  return { file: path, afterClose: () => Promise.resolve() }
}

// SQLite gives the files beside a database the permissions of the database.
function keepPrivate(path: string): void {
  createPrivateFile(path)
  for (const suffix of ['', '-wal', '-shm', '-journal']) tighten(path + suffix, privateFile)
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
