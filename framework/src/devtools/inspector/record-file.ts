import { rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { createPrivateFile, createPrivateFolder } from '../../base/files/private-files.ts'
import { ActivityKinds } from '../../activity/activity.ts'
import type { ActivityRecord } from './activity-record.ts'
import { isSlow, kindTitle } from './format.ts'

/** How many records are kept. */
export const maxRecords = 500
/** How many requests of a site in production are kept, and of one route and hour the slowest and the failed. */
export const maxKept = 300
export const maxOfRoute = 5
/** How many the list shows. */
const maxListed = 100

/** Changed with the columns or the JSON in them: a file of another version is replaced. */
const version = 4

const schema = `CREATE TABLE records (
  number INTEGER PRIMARY KEY AUTOINCREMENT, key TEXT NOT NULL UNIQUE, change INTEGER NOT NULL,
  kind TEXT NOT NULL, id TEXT NOT NULL, status TEXT NOT NULL, failed INTEGER NOT NULL,
  hidden INTEGER NOT NULL,
  words TEXT NOT NULL, listed TEXT NOT NULL, record TEXT NOT NULL);
  CREATE INDEX records_change ON records (change);
  PRAGMA user_version = ${version};`

/** The file of the records of a project. */
export function recordPath(root: string): string {
  return join(root, 'storage', 'inspector.sqlite')
}

/** What makes room for new records: every record but the newest, or every request but the worst of a day. */
const surplus: Readonly<Record<'newest' | 'worst', string>> = {
  newest: `DELETE FROM records WHERE number IN (SELECT number FROM (SELECT number,
    row_number() OVER (PARTITION BY hidden ORDER BY number DESC) AS place FROM records)
    WHERE place > ?)`,
  worst: `DELETE FROM records WHERE number NOT IN (SELECT number FROM (
    SELECT number, row_number() OVER (
      PARTITION BY listed ->> 'title', failed, CAST(listed ->> 'at' AS INTEGER) / 3600
      ORDER BY listed ->> iif(failed, 'at', 'durationMs') DESC) AS place
    FROM records WHERE listed ->> 'at' > unixepoch() - 86400)
    WHERE place <= ${maxOfRoute} ORDER BY place, number DESC LIMIT ?)`,
}

interface Listed extends Pick<
  ActivityRecord,
  'kind' | 'id' | 'title' | 'subject' | 'status' | 'failed' | 'at' | 'durationMs' | 'statements'
> {
  /** How many of its statements look like a query in a loop (N+1). */
  readonly repeats: number
  /** The class of what was thrown first; empty if nothing was. */
  readonly thrown: string
  /** The longest of its slow steps: `slow SQL`; empty if there is none. */
  readonly slow: string
}

/** A record in the list. */
export interface ListedRecord extends Listed {
  /** Its place in the file; later ones have higher numbers. */
  readonly number: number
}

/** What to look for. */
export interface RecordSearch {
  /** Words that must all occur; numbers such as 404 and 5xx mean a status, `failed` any failure. */
  readonly words?: string
  /** @default every kind */
  readonly kind?: ActivityKinds | null
  /** Whether those that are hidden count too. @default false */
  readonly all?: boolean
}

/** The kind with that name; null for any other text. */
export function kindNamed(name: string | undefined): ActivityKinds | null {
  return Object.values(ActivityKinds).find((kind) => kind === name) ?? null
}

/** Another process writes for a few milliseconds. Longer waits would be felt: they stop this process. */
const maxBusyMs = 50

/**
 * The records of all processes of a project, in an SQLite file of their own. Every method may throw,
 * for example while another process has locked it.
 */
export class RecordFile {
  readonly #path: string
  readonly #max: number
  readonly #surplus: string
  #database: DatabaseSync | null = null
  #isBroken = false

  constructor(path: string, max: number = maxRecords, keeps: keyof typeof surplus = 'newest') {
    this.#path = path
    this.#max = max
    this.#surplus = surplus[keeps]
  }

  /** Writes records, all or none; a record with a known key replaces the earlier one. */
  write(records: readonly ActivityRecord[]): void {
    this.#use((database) => {
      database.exec('BEGIN IMMEDIATE')
      const insert = database.prepare(
        `INSERT INTO records (key, change, kind, id, status, failed, hidden, words, listed, record)
          VALUES (?, (SELECT coalesce(max(change), 0) + 1 FROM records), ?, ?, ?, ?, ?, ?, ?, ?)
          ON CONFLICT (key) DO UPDATE SET change = excluded.change, status = excluded.status,
          failed = excluded.failed, hidden = excluded.hidden, words = excluded.words, listed = excluded.listed,
          record = excluded.record`,
      )
      for (const record of records) insert.run(...columnsOf(record))
      database.prepare(this.#surplus).run(this.#max)
      database.exec('COMMIT')
    })
  }

  /** The newest records that match, newest first. */
  list(search: RecordSearch, limit: number = maxListed): readonly ListedRecord[] {
    const { condition, values } = conditionsOf(search)
    const sql = `SELECT json_set(listed, '$.number', number) AS listed FROM records
      WHERE ${condition} ORDER BY number DESC LIMIT ?`
    const rows = this.#use((database) => database.prepare(sql).all(...values, limit))
    return rows.map(({ listed }) => JSON.parse(String(listed)) as ListedRecord)
  }

  /** The record with that number; null if there is none. */
  read(number: number): ActivityRecord | null {
    const row = this.#get('SELECT record FROM records WHERE number = ?', number)
    return row === undefined ? null : (JSON.parse(String(row['record'])) as ActivityRecord)
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
      `SELECT (SELECT max(number) FROM records WHERE number < ? AND hidden = 0) AS older,
        (SELECT min(number) FROM records WHERE number > ? AND hidden = 0) AS newer`,
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
    const database = new DatabaseSync(this.#path, { timeout: maxBusyMs })
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
  const { hidden = false, incidents, steps } = record
  const repeats = record.repeats.length
  const words = [kind, id, title, subject, status, ...record.texts, ...failuresOf(record)]
  const slowest = steps
    .filter(isSlow)
    .toSorted((one, other) => other.durationMs - one.durationMs)[0]
  const slow = slowest === undefined ? '' : `slow ${kindTitle(slowest.kind)}`
  const thrown = incidents[0]?.chain[0]?.class ?? ''
  if (repeats > 0) words.push('n+1')
  words.push(slow)
  const text = words.join('\n').toLowerCase()
  const about = { kind, id, title, subject, status, failed, at, durationMs, statements }
  const listed: Listed = { ...about, repeats, thrown, slow }
  const found = [key, kind, id, status, failed ? 1 : 0, hidden ? 1 : 0, text]
  return [...found, JSON.stringify(listed), JSON.stringify(record)]
}

function failuresOf({ incidents }: ActivityRecord): string[] {
  return incidents.flatMap(({ chain }) =>
    chain.map(({ class: name, message }) => `${name} ${message}`),
  )
}

function numberIn(value: unknown): number | null {
  return typeof value === 'number' ? value : null
}

/** SQLITE_CORRUPT and SQLITE_NOTADB: what happened to the file, nobody will repair it. */
function isForeign(error: unknown): boolean {
  const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : 0
  return code === 11 || code === 26
}

const maxWords = 10
const maxWordLength = 200

/** Writes a search as a condition on the table of records. */
function conditionsOf({ words = '', kind = null, all = false }: RecordSearch): {
  readonly condition: string
  readonly values: readonly string[]
} {
  const parts: (readonly [condition: string, ...values: string[]])[] = [
    [all ? 'true' : 'hidden = 0'],
  ]
  if (kind !== null) parts.push(['kind = ?', kind])
  for (const word of words.toLowerCase().split(/\s+/).slice(0, maxWords)) {
    if (word !== '') parts.push(partOf(word.slice(0, maxWordLength)))
  }
  return {
    condition: parts.map(([condition]) => condition).join(' AND '),
    values: parts.flatMap(([, ...values]) => values),
  }
}

function partOf(word: string): [condition: string, ...values: string[]] {
  if (/^[1-5]\d\d$/.test(word)) return ['status = ?', word]
  if (/^[1-5]xx$/.test(word)) return [`status LIKE ? AND length(status) = 3`, `${word.charAt(0)}%`]
  if (word === 'failed') return ['failed = 1']
  return ['instr(words, ?) > 0', word]
}
