import { rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { createPrivateFile, createPrivateFolder } from '../../base/files/private-files.ts'
import type { ActivityKinds } from '../activity/activity.ts'
import type { ActivityRecord } from './activity-record.ts'
import { conditionsOf } from './record-search.ts'
import type { RecordSearch } from './record-search.ts'

/** How many records are kept. */
export const maxRecords = 500

/** Changed with the columns or the JSON of a record: a file of another version is replaced. */
const version = 1

const schema = `CREATE TABLE records (
  number INTEGER PRIMARY KEY AUTOINCREMENT, key TEXT NOT NULL UNIQUE, change INTEGER NOT NULL,
  kind TEXT NOT NULL, id TEXT NOT NULL, title TEXT NOT NULL, subject TEXT NOT NULL,
  status TEXT NOT NULL, failed INTEGER NOT NULL, at REAL NOT NULL, duration_ms REAL NOT NULL,
  statements INTEGER NOT NULL, words TEXT NOT NULL, record TEXT NOT NULL);
  CREATE INDEX records_change ON records (change);
  PRAGMA user_version = ${version};`

/** The file of the records of a project. */
export function recordPath(root: string): string {
  return join(root, 'storage', 'inspector.sqlite')
}

const listed =
  'number, change, kind, id, title, subject, status, failed, at, duration_ms, statements'

/** A record in the list. */
export interface ListedRecord {
  /** Its place in the file; later ones have higher numbers. */
  readonly number: number
  /** Higher than that of everything written before. */
  readonly change: number
  readonly kind: string
  readonly id: string
  readonly title: string
  readonly subject: string
  readonly status: string
  readonly failed: boolean
  readonly at: number
  readonly durationMs: number
  readonly statements: number
}

/**
 * The records of all processes of a project, in an SQLite file of their own. Every method may throw,
 * for example while another process writes: none of them waits, because that would stop the process.
 */
export class RecordFile {
  readonly #path: string
  readonly #max: number
  #database: DatabaseSync | null = null

  constructor(path: string, max: number = maxRecords) {
    this.#path = path
    this.#max = max
  }

  /** Writes records, all or none; a record with a known key replaces the earlier one. */
  write(records: readonly ActivityRecord[]): void {
    const database = this.#open()
    database.exec('BEGIN IMMEDIATE')
    try {
      const insert = database.prepare(
        `INSERT INTO records (key, change, kind, id, title, subject, status, failed, at, duration_ms,
          statements, words, record)
          VALUES (?, (SELECT coalesce(max(change), 0) + 1 FROM records), ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
          ON CONFLICT (key) DO UPDATE SET change = excluded.change, status = excluded.status,
          failed = excluded.failed, duration_ms = excluded.duration_ms,
          statements = excluded.statements, words = excluded.words, record = excluded.record`,
      )
      for (const record of records) insert.run(...columnsOf(record))
      database
        .prepare('DELETE FROM records WHERE number <= (SELECT max(number) FROM records) - ?')
        .run(this.#max)
      database.exec('COMMIT')
    } catch (error) {
      // A broken file is replaced by the next attempt.
      if (isForeign(error)) this.close()
      else database.exec('ROLLBACK')
      throw error
    }
  }

  /** The newest records that match, newest first. */
  list(search: RecordSearch, limit: number = this.#max): readonly ListedRecord[] {
    const { condition, values } = conditionsOf(search)
    return this.#open()
      .prepare(`SELECT ${listed} FROM records WHERE ${condition} ORDER BY number DESC LIMIT ?`)
      .all(...values, limit)
      .map(listedRecord)
  }

  /** The record with that number; null if there is none. */
  read(number: number): ActivityRecord | null {
    const row = this.#open().prepare('SELECT record FROM records WHERE number = ?').get(number)
    return row === undefined ? null : parsed(String(row['record']))
  }

  /** The number of the newest record of an activity; null if there is none. */
  find(kind: ActivityKinds, id: string): number | null {
    const row = this.#open()
      .prepare('SELECT max(number) AS number FROM records WHERE kind = ? AND id = ?')
      .get(kind, id)
    return numberIn(row?.['number'])
  }

  /** The numbers of the records before and after one; null where there is none. */
  neighbours(number: number): { readonly older: number | null; readonly newer: number | null } {
    const row = this.#open()
      .prepare(
        `SELECT (SELECT max(number) FROM records WHERE number < ?) AS older,
          (SELECT min(number) FROM records WHERE number > ?) AS newer`,
      )
      .get(number, number)
    return { older: numberIn(row?.['older']), newer: numberIn(row?.['newer']) }
  }

  /** The last change; 0 if there are no records. */
  lastChange(): number {
    const row = this.#open().prepare('SELECT max(change) AS change FROM records').get()
    return numberIn(row?.['change']) ?? 0
  }

  /** Deletes the records of earlier runs; with the number of the last run they stay. */
  startRun(run: number | null): void {
    const database = this.#open()
    const last = database.prepare('PRAGMA application_id').get()?.['application_id']
    if (run !== null && last === run) return
    database.exec(
      `DELETE FROM records; PRAGMA application_id = ${run ?? 0}; PRAGMA wal_checkpoint(TRUNCATE)`,
    )
  }

  close(): void {
    this.#database?.close()
    this.#database = null
  }

  #open(): DatabaseSync {
    if (this.#database !== null) return this.#database
    createPrivateFolder(dirname(this.#path))
    const database = this.#connect() ?? this.#replace()
    this.#database = database
    return database
  }

  /** Null if the file is of another version, or none of ours. */
  #connect(): DatabaseSync | null {
    createPrivateFile(this.#path)
    const database = new DatabaseSync(this.#path, { timeout: 0 })
    try {
      // After a crash of the machine the records may be lost; they are not worth a wait for the disk.
      database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF; BEGIN IMMEDIATE')
      const found = Number(database.prepare('PRAGMA user_version').get()?.['user_version'])
      if (found === 0) database.exec(schema)
      database.exec('COMMIT')
      if (found === 0 || found === version) return database
    } catch (error) {
      database.close()
      if (isForeign(error)) return null
      throw error
    }
    database.close()
    return null
  }

  #replace(): DatabaseSync {
    for (const ending of ['', '-wal', '-shm']) rmSync(`${this.#path}${ending}`, { force: true })
    const database = this.#connect()
    if (database !== null) return database
    throw new Error(`${this.#path} cannot be replaced`)
  }
}

function columnsOf(record: ActivityRecord): (string | number)[] {
  const { key, kind, id, title, subject, status, failed, at, durationMs, statements } = record
  const words = [kind, id, title, subject, status, ...record.texts, ...failuresOf(record)]
  return [
    key,
    kind,
    id,
    title,
    subject,
    status,
    failed ? 1 : 0,
    at,
    durationMs,
    statements,
    words.join('\n').toLowerCase(),
    JSON.stringify(record),
  ]
}

function failuresOf({ incidents }: ActivityRecord): string[] {
  return incidents.flatMap(({ chain }) =>
    chain.map(({ class: name, message }) => `${name} ${message}`),
  )
}

function listedRecord(row: Readonly<Record<string, unknown>>): ListedRecord {
  return {
    number: Number(row['number']),
    change: Number(row['change']),
    kind: String(row['kind']),
    id: String(row['id']),
    title: String(row['title']),
    subject: String(row['subject']),
    status: String(row['status']),
    failed: row['failed'] === 1,
    at: Number(row['at']),
    durationMs: Number(row['duration_ms']),
    statements: Number(row['statements']),
  }
}

function numberIn(value: unknown): number | null {
  return typeof value === 'number' ? value : null
}

function parsed(json: string): ActivityRecord {
  return JSON.parse(json) as ActivityRecord
}

/** SQLITE_CORRUPT and SQLITE_NOTADB: what happened to the file, nobody will repair it. */
function isForeign(error: unknown): boolean {
  const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : 0
  return code === 11 || code === 26
}
