import { rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { createPrivateFile, createPrivateFolder } from '../../base/files/private-files.ts'
import type { ActivityKinds } from '../../activity/activity.ts'
import type { ActivityRecord } from './activity-record.ts'
import { conditionsOf } from './record-search.ts'
import type { RecordSearch } from './record-search.ts'

/** How many records are kept. */
export const maxRecords = 500

/** Changed with the columns or the JSON of a record: a file of another version is replaced. */
const version = 2

const schema = `CREATE TABLE records (
  number INTEGER PRIMARY KEY AUTOINCREMENT, key TEXT NOT NULL UNIQUE, change INTEGER NOT NULL,
  kind TEXT NOT NULL, id TEXT NOT NULL, title TEXT NOT NULL, subject TEXT NOT NULL,
  status TEXT NOT NULL, failed INTEGER NOT NULL, at REAL NOT NULL, duration_ms REAL NOT NULL,
  statements INTEGER NOT NULL, repeats INTEGER NOT NULL, words TEXT NOT NULL, record TEXT NOT NULL);
  CREATE INDEX records_change ON records (change);
  PRAGMA user_version = ${version};`

/** The file of the records of a project. */
export function recordPath(root: string): string {
  return join(root, 'storage', 'inspector.sqlite')
}

const listed =
  'number, change, kind, id, title, subject, status, failed, at, duration_ms, statements, repeats'

/** A record in the list. */
export interface ListedRecord extends Pick<
  ActivityRecord,
  'id' | 'title' | 'subject' | 'status' | 'failed' | 'at' | 'durationMs' | 'statements'
> {
  /** Its place in the file; later ones have higher numbers. */
  readonly number: number
  /** Higher than that of everything written before. */
  readonly change: number
  readonly kind: string
  /** How many of its statements look like a query in a loop (N+1). */
  readonly repeats: number
}

/**
 * The records of all processes of a project, in an SQLite file of their own. Every method may throw,
 * for example while another process writes: none of them waits, because that would stop the process.
 */
export class RecordFile {
  readonly #path: string
  readonly #max: number
  #database: DatabaseSync | null = null
  #isBroken = false

  constructor(path: string, max: number = maxRecords) {
    this.#path = path
    this.#max = max
  }

  /** Writes records, all or none; a record with a known key replaces the earlier one. */
  write(records: readonly ActivityRecord[]): void {
    this.#use((database) => {
      database.exec('BEGIN IMMEDIATE')
      const insert = database.prepare(
        `INSERT INTO records (key, change, kind, id, title, subject, status, failed, at, duration_ms,
          statements, repeats, words, record)
          VALUES (?, (SELECT coalesce(max(change), 0) + 1 FROM records), ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
          ON CONFLICT (key) DO UPDATE SET change = excluded.change, status = excluded.status,
          failed = excluded.failed, duration_ms = excluded.duration_ms,
          statements = excluded.statements, repeats = excluded.repeats, words = excluded.words,
          record = excluded.record`,
      )
      for (const record of records) insert.run(...columnsOf(record))
      database
        .prepare('DELETE FROM records WHERE number <= (SELECT max(number) FROM records) - ?')
        .run(this.#max)
      database.exec('COMMIT')
    })
  }

  /** The newest records that match, newest first. */
  list(search: RecordSearch, limit: number = this.#max): readonly ListedRecord[] {
    const { condition, values } = conditionsOf(search)
    const sql = `SELECT ${listed} FROM records WHERE ${condition} ORDER BY number DESC LIMIT ?`
    return this.#use((database) => database.prepare(sql).all(...values, limit)).map(listedRecord)
  }

  /** The record with that number; null if there is none. */
  read(number: number): ActivityRecord | null {
    const row = this.#get('SELECT record FROM records WHERE number = ?', number)
    return row === undefined ? null : parsed(String(row['record']))
  }

  /** The number of the newest record of an activity; null if there is none. */
  find(kind: ActivityKinds, id: string): number | null {
    const sql = 'SELECT max(number) AS number FROM records WHERE kind = ? AND id = ?'
    const row = this.#get(sql, kind, id)
    return numberIn(row?.['number'])
  }

  /** The numbers of the records before and after one; null where there is none. */
  neighbours(number: number): { readonly older: number | null; readonly newer: number | null } {
    const row = this.#get(
      `SELECT (SELECT max(number) FROM records WHERE number < ?) AS older,
        (SELECT min(number) FROM records WHERE number > ?) AS newer`,
      number,
      number,
    )
    return { older: numberIn(row?.['older']), newer: numberIn(row?.['newer']) }
  }

  /** The last change; 0 if there are no records. */
  lastChange(): number {
    const row = this.#get('SELECT max(change) AS change FROM records')
    return numberIn(row?.['change']) ?? 0
  }

  /** Deletes the records of earlier runs; with the number of the last run they stay. */
  startRun(run: number | null): void {
    const last = this.#get('PRAGMA application_id')?.['application_id']
    if (run !== null && last === run) return
    const sql = `DELETE FROM records; PRAGMA application_id = ${run ?? 0}; PRAGMA wal_checkpoint(TRUNCATE)`
    this.#use((database) => database.exec(sql))
  }

  close(): void {
    this.#database?.close()
    this.#database = null
  }

  #get(sql: string, ...values: (string | number)[]): Record<string, unknown> | undefined {
    return this.#use((database) => database.prepare(sql).get(...values))
  }

  #use<T>(work: (database: DatabaseSync) => T): T {
    const database = this.#open()
    try {
      return work(database)
    } catch (error) {
      if (isForeign(error)) {
        this.close()
        // The next attempt replaces it.
        this.#isBroken = true
      } else if (database.isTransaction) database.exec('ROLLBACK')
      throw error
    }
  }

  #open(): DatabaseSync {
    if (this.#database !== null) return this.#database
    createPrivateFolder(dirname(this.#path))
    const database = (this.#isBroken ? null : this.#connect()) ?? this.#replace()
    this.#isBroken = false
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
  const repeats = record.repeats.length
  const words = [kind, id, title, subject, status, ...record.texts, ...failuresOf(record)]
  if (repeats > 0) words.push('n+1')
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
    repeats,
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
    repeats: Number(row['repeats']),
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
