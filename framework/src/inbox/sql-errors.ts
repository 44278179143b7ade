import { isRecord, parsedRecord } from '../base/is-record.ts'
import { epochSeconds } from '../base/time/epoch-seconds.ts'
import { DatabaseError } from '../database/database-error.ts'
import { ExpiringTable } from '../database/expiring-table.ts'
import type { ObjectRow } from '../database/sql/plan/declared-rows.ts'
import { sql } from '../database/sql/plan/statement.ts'
import type { Statement } from '../database/sql/plan/statement.ts'
import type { Surface, Transaction } from '../database/surface.ts'
import { committedTransaction } from '../database/transaction-options.ts'
import { insertedValue, upsertStatement } from '../database/upsert-statement.ts'
import { ErrorLimits, ErrorOrders, ErrorStates } from './error-group.ts'
import type {
  ErrorBatch,
  ErrorDetails,
  ErrorGroup,
  ErrorList,
  ErrorNews,
  ErrorQuery,
  NewsKinds,
} from './error-group.ts'
import { isSample } from './error-sample.ts'
import { errorTables, groups, marks, samples } from './error-tables.ts'

/** Options of `SqlErrors`. */
export interface SqlErrorsOptions {
  /** Epoch seconds. The clocks of all workers must agree within a few seconds. */
  readonly clock?: () => number
}

const perSweep = 100

/** What an inbox needs of `SqlErrors`. */
export type ErrorStore = Pick<SqlErrors, keyof SqlErrors>

/**
 * Groups of errors in three tables of the application's database, made by `createErrorTables`. However many
 * processes call it at once, every change has one winner.
 */
export class SqlErrors {
  readonly #surface: Surface
  readonly #groups: ExpiringTable
  readonly #samples: ExpiringTable
  readonly #nowMs: () => number

  constructor(surface: Surface, { clock = epochSeconds }: SqlErrorsOptions = {}) {
    this.#surface = surface
    this.#groups = new ExpiringTable(surface, errorTables.groups, 'fingerprint')
    this.#samples = new ExpiringTable(surface, errorTables.samples, 'id')
    this.#nowMs = () => Math.round(clock() * 1000)
  }

  /**
   * Adds occurrences. Resolves with the group if they brought it back after it had been resolved. With
   * `tells`, what is new about it waits for `takeNews`.
   */
  async record(batch: ErrorBatch, tells = false): Promise<ErrorGroup | null> {
    const news = await recordErrors(this.#surface, batch, tells)
    if (news === 'new') await this.#dropSurplus()
    return news === 'returned' ? this.#group(batch.fingerprint) : null
  }

  /**
   * What nobody has been told, if it is the turn of this process to tell it: of all processes one at a time,
   * and three times an hour. Whoever got it calls `forgetNews`; of a process that dies meanwhile, the next turn gets it.
   */
  async takeNews(): Promise<readonly ErrorNews[]> {
    const minute = Math.floor(this.#nowMs() / minuteMs)
    const notes = await notesIn(this.#surface)
    const waiting = notes.filter(({ kind }) => kind !== 'told')
    if (waiting.length === 0 || !isTurn(notes, minute)) return []
    if (!(await this.#claimTurn(minute))) return []
    const rows = await this.#surface.rows(sql`${withMarks}
      WHERE fingerprint IN (${sql.list(waiting.map(({ value }) => value))})`)
    const found = new Map(rows.map((row) => [row['fingerprint'], this.#read(row)]))
    const news = waiting.flatMap(({ kind, value }): ErrorNews[] => {
      const group = found.get(value)
      return group === undefined ? [] : [{ kind: newsKind(kind), group }]
    })
    // Their groups made room for others.
    const gone = waiting.filter(({ value }) => !found.has(value))
    const old = notes.filter(
      ({ kind, value }) => kind === 'told' && minute - Number(value) > perHour,
    )
    await this.#forget([...gone, ...old])
    return news
  }

  /** Forgets news that were told. */
  forgetNews(news: readonly ErrorNews[]): Promise<void> {
    return this.#forget(news.map(({ kind, group }) => ({ kind, value: group.fingerprint })))
  }

  /** A page of the groups that match a query. */
  async list(query: ErrorQuery): Promise<ErrorList> {
    const { order, offset, limit } = query
    const matches = conditionOf(query)
    const column = sql.name(order === ErrorOrders.Count ? 'occurrences' : 'last_ms')
    const rows = await this.#surface.rows(sql`${withMarks}
      WHERE state = ${query.state} AND ${matches}
      ORDER BY ${column} DESC, fingerprint LIMIT ${limit} OFFSET ${offset}`)
    const states = await this.#surface.rows(
      sql`SELECT state, count(*) AS total FROM ${groups} WHERE ${matches} GROUP BY state`,
    )
    const totals = { open: 0, resolved: 0, muted: 0 }
    for (const { state, total } of states) totals[stateOf(state)] = Number(total)
    return { groups: rows.map((row) => this.#read(row)), matching: totals[query.state], totals }
  }

  /** A group with its marks and samples; null if there is no such group. */
  async find(fingerprint: string): Promise<ErrorDetails | null> {
    const group = await this.#group(fingerprint)
    if (group === null) return null
    const marked = await this.#surface.rows(
      sql`SELECT kind, value FROM ${marks} WHERE fingerprint = ${fingerprint} ORDER BY value`,
    )
    const stored = await this.#surface.rows(
      sql`SELECT id, body FROM ${samples} WHERE fingerprint = ${fingerprint} ORDER BY id DESC`,
    )
    const valuesOf = (kind: string): readonly string[] =>
      marked.filter((mark) => mark['kind'] === kind).map(({ value }) => String(value))
    return {
      group,
      accounts: valuesOf('account'),
      titles: valuesOf('title'),
      releases: valuesOf('release'),
      samples: stored.flatMap(({ id, body }) => {
        const sample: unknown = parsedRecord(String(body))
        // Anything else was not written by us.
        return isSample(sample) ? [{ id: String(id), sample }] : []
      }),
    }
  }

  /**
   * Resolves a group; it comes back when it occurs later, in another release if one is given. False
   * if it is unknown or was resolved already.
   */
  resolve(fingerprint: string, release: string | null): Promise<boolean> {
    const now = this.#nowMs()
    // An occurrence that is already counted was before it, whatever the clocks say.
    return this.#change(
      fingerprint,
      ErrorStates.Resolved,
      sql`resolved_ms = CASE WHEN last_ms > ${now} THEN last_ms ELSE ${now} END,
        resolved_release = ${release}, returned_ms = NULL, returned_release = NULL`,
    )
  }

  /** Keeps counting, but never comes back. False if it is unknown or was muted already. */
  mute(fingerprint: string): Promise<boolean> {
    return this.#change(fingerprint, ErrorStates.Muted, notResolved)
  }

  /** Opens a resolved or muted group. False if it is unknown or was open already. */
  reopen(fingerprint: string): Promise<boolean> {
    return this.#change(fingerprint, ErrorStates.Open, notResolved)
  }

  /** Deletes what is older than `ErrorLimits.age`; resolves with the number of rows. */
  async sweep(): Promise<number> {
    const tooOld = this.#nowMs() - ErrorLimits.age * 1000
    let dropped = await this.#samples.sweep(sql`at_ms < ${tooOld}`)
    for (;;) {
      const found = await this.#groups.rows(
        sql`SELECT fingerprint FROM ${groups} WHERE last_ms < ${tooOld} LIMIT ${perSweep}`,
      )
      // Seen again meanwhile: it stays.
      for (const row of found) dropped += await this.#drop(row, sql`last_ms < ${tooOld}`)
      if (found.length < perSweep) break
    }
    return dropped + (await this.#dropSurplus())
  }

  /** Whether the database is away, and not just this batch refused. */
  isUnavailable(error: unknown): boolean {
    return (
      error instanceof DatabaseError && (error.unavailable || error.code === 'E_DATABASE_CLOSED')
    )
  }

  async #group(fingerprint: string): Promise<ErrorGroup | null> {
    const [row] = await this.#surface.rows(sql`${withMarks} WHERE fingerprint = ${fingerprint}`)
    return row === undefined ? null : this.#read(row)
  }

  #read(row: ObjectRow): ErrorGroup {
    return readGroup(row, hourOf(this.#nowMs()))
  }

  /** Takes the turn of a minute, unless another process is near it: who sees nobody is alone. */
  async #claimTurn(minute: number): Promise<boolean> {
    const turn = { kind: 'told', value: String(minute) }
    try {
      await addMark(this.#surface, noGroup, turn)
    } catch (error) {
      if (error instanceof DatabaseError && error.code === 'E_DUPLICATE_KEY') return false
      throw error
    }
    const others = (await notesIn(this.#surface)).filter(({ value }) => value !== turn.value)
    if (isTurn(others, minute)) return true
    await this.#forget([turn])
    return false
  }

  async #forget(notes: readonly Mark[]): Promise<void> {
    for (const { kind, value } of notes) {
      await this.#groups.run(sql`DELETE FROM ${marks}
        WHERE fingerprint = ${noGroup} AND kind = ${kind} AND value = ${value}`)
    }
  }

  async #change(fingerprint: string, state: ErrorStates, more: Statement): Promise<boolean> {
    const { affected } = await this.#groups.run(sql`UPDATE ${groups} SET state = ${state}, ${more}
      WHERE fingerprint = ${fingerprint} AND state <> ${state}`)
    return affected > 0
  }

  /** Resolved groups make room first, then those that were not seen for the longest time. */
  async #dropSurplus(): Promise<number> {
    const [row] = await this.#surface.rows(sql`SELECT count(*) AS total FROM ${groups}`)
    const surplus = Number(row?.['total'] ?? 0) - ErrorLimits.groups
    if (surplus <= 0) return 0
    const found = await this.#groups.rows(sql`SELECT fingerprint FROM ${groups}
      ORDER BY CASE state WHEN 'resolved' THEN 0 ELSE 1 END, last_ms, fingerprint
      LIMIT ${surplus}`)
    let dropped = 0
    for (const one of found) dropped += await this.#drop(one, sql`1 = 1`)
    return dropped
  }

  // The group first: its row keeps others from adding to it until the rest is gone.
  #drop({ fingerprint }: ObjectRow, condition: Statement): Promise<number> {
    return committedTransaction(this.#surface, async (transaction) => {
      const isGroup = sql`fingerprint = ${fingerprint}`
      const { affected } = await transaction.run(
        sql`DELETE FROM ${groups} WHERE ${isGroup} AND ${condition}`,
      )
      if (affected === 0) return 0
      const dropped = await transaction.run(sql`DELETE FROM ${samples} WHERE ${isGroup}`)
      await transaction.run(sql`DELETE FROM ${marks} WHERE ${isGroup}`)
      return affected + dropped.affected
    })
  }
}

const notResolved = sql`resolved_ms = NULL, resolved_release = NULL`

const ofGroup = sql`${marks}.fingerprint = ${groups}.fingerprint`
const withMarks = sql`SELECT ${groups}.*,
  (SELECT count(*) FROM ${marks} WHERE ${ofGroup} AND kind = 'account') AS accounts,
  (SELECT max(value) FROM ${marks} WHERE ${ofGroup} AND kind = 'hours') AS hours FROM ${groups}`

function readGroup(row: ObjectRow, hour: number): ErrorGroup {
  const textOrNull = (name: string): string | null => {
    const value = row[name]
    return typeof value === 'string' ? value : null
  }
  const text = (name: string): string => textOrNull(name) ?? ''
  const secondsOrNull = (name: string): number | null =>
    row[name] === null ? null : Number(row[name]) / 1000
  return {
    fingerprint: text('fingerprint'),
    class: text('class'),
    message: text('message'),
    code: textOrNull('code'),
    place: text('place'),
    state: stateOf(row['state']),
    count: Number(row['occurrences']),
    firstSeen: Number(row['first_ms']) / 1000,
    lastSeen: Number(row['last_ms']) / 1000,
    firstRelease: text('first_release'),
    lastRelease: text('last_release'),
    resolvedAt: secondsOrNull('resolved_ms'),
    resolvedRelease: textOrNull('resolved_release'),
    returnedAt: secondsOrNull('returned_ms'),
    returnedRelease: textOrNull('returned_release'),
    accounts: Number(row['accounts'] ?? 0),
    hours: countsUntil(hour, text('hours')).toReversed(),
  }
}

/** A value that a group was seen with; without a group, what is known about telling. */
interface Mark {
  readonly kind: string
  readonly value: string
}

/** In place of a fingerprint: the news that wait, and the minutes in which some were told. */
const noGroup = '-'.repeat(32)
const minuteMs = 60_000
const perHour = 60
/** By how many messages the last hour has had: minutes until the next one. A fourth waits. */
const pauses: readonly number[] = [0, 3, 10]
/** More at once say nothing more. */
const maxNews = 50

async function notesIn(surface: Pick<Surface, 'rows'>): Promise<readonly Mark[]> {
  const rows = await surface.rows(
    sql`SELECT kind, value FROM ${marks} WHERE fingerprint = ${noGroup}`,
  )
  return rows.map(({ kind, value }) => ({ kind: String(kind), value: String(value) }))
}

function isTurn(notes: readonly Mark[], minute: number): boolean {
  const distances = notes
    .filter(({ kind }) => kind === 'told')
    .map(({ value }) => Math.abs(minute - Number(value)))
    .filter((distance) => distance < perHour)
  return Math.min(Infinity, ...distances) >= (pauses[distances.length] ?? Infinity)
}

function newsKind(kind: string): NewsKinds {
  return kind === 'returned' || kind === 'spike' ? kind : 'new'
}

function stateOf(value: unknown): ErrorStates {
  return Object.values(ErrorStates).find((state) => state === value) ?? ErrorStates.Open
}

// Each word may be somewhere else: `TypeError /orders` finds those of a route.
function conditionOf({ search }: ErrorQuery): Statement {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean).slice(0, 8)
  return words.reduce(
    (all, word) => {
      const pattern = `%${word.replaceAll(/[!%_]/g, '!$&')}%`
      const like = (column: string): Statement =>
        sql`LOWER(${sql.name(column)}) LIKE ${pattern} ESCAPE '!'`
      return sql`${all} AND (${like('class')} OR ${like('message')} OR ${like('code')} OR ${like('place')}
      OR EXISTS (SELECT 1 FROM ${marks} WHERE ${ofGroup} AND kind <> 'hours' AND ${like('value')}))`
    },
    sql`1 = 1`,
  )
}

const hourMs = 3_600_000
const hoursKept = 24

function hourOf(ms: number): number {
  return Math.floor(ms / hourMs)
}

/** The counts of an hour and those before it, the latest first, from a mark. */
function countsUntil(hour: number, mark: string): number[] {
  const [last = 0, ...counts] = mark.split(' ').map((digits) => Number.parseInt(digits, 36))
  return Array.from({ length: hoursKept }, (_, at) => counts[last - hour + at] ?? 0)
}

/** The mark with more occurrences: the last hour, then its count and those before it, in base 36. */
function hoursWith({ count, lastMs }: ErrorBatch, mark: string) {
  const seen = hourOf(lastMs)
  const last = Math.max(seen, Number.parseInt(mark, 36) || 0)
  const counts = countsUntil(last, mark)
  const at = last - seen
  if (at < hoursKept) counts[at] = Math.min((counts[at] ?? 0) + count, 36 ** 6 - 1)
  return {
    counts,
    isLast: at === 0,
    value: [last, ...counts].map((one) => one.toString(36)).join(' '),
  }
}

/** A spike has this many occurrences in an hour, and five times those of the busiest hour of the day before. */
const minSpike = 100

function isSpike(counts: readonly number[], added: number): boolean {
  const [now = 0, ...before] = counts
  const enough = Math.max(minSpike, 5 * Math.max(...before))
  return now >= enough && now - added < enough
}

/** Kinds of marks, and how many of each are kept. */
const markLimits: ReadonlyMap<string, number> = new Map([
  ['account', ErrorLimits.accounts],
  ['title', ErrorLimits.titles],
  ['release', ErrorLimits.releases],
])

/**
 * Adds a batch in one transaction. Its first statement locks the row of the group, so that processes
 * that add to the same group do so one after the other. Resolves with what is new about the group because of it.
 */
function recordErrors(
  surface: Surface,
  batch: ErrorBatch,
  tells: boolean,
): Promise<NewsKinds | null> {
  return committedTransaction(surface, async (transaction) => {
    const { rows } = await transaction.run(countStatement(batch, transaction))
    const [row] = rows
    const { occurrences, state, first_ms: firstMs } = isRecord(row) ? row : {}
    const isNew = Number(occurrences) === batch.count
    const isReturned = !isNew && (await reopen(transaction, batch))
    const hasSpike = await addMarks(transaction, batch, isNew)
    if (batch.sample !== null) await addSample(transaction, batch, isNew)
    // In its first hour a group has no past to compare with.
    const isOld = batch.lastMs - Number(firstMs) > hourMs && state === ErrorStates.Open
    const news = isNew ? 'new' : isReturned ? 'returned' : isOld && hasSpike ? 'spike' : null
    if (news !== null && tells) await addNews(transaction, { kind: news, value: batch.fingerprint })
    return news
  })
}

async function addNews(transaction: Transaction, news: Mark): Promise<void> {
  const waiting = (await notesIn(transaction)).filter(({ kind }) => kind !== 'told')
  if (waiting.length >= maxNews) return
  if (waiting.some(({ kind, value }) => kind === news.kind && value === news.value)) return
  await addMark(transaction, noGroup, news)
}

async function addMark(surface: Surface, fingerprint: string, ...added: Mark[]): Promise<void> {
  const values = added.map(({ kind, value }) => sql`(${fingerprint}, ${kind}, ${value})`)
  await surface.run(sql`INSERT INTO ${marks} (fingerprint, kind, value) VALUES ${sql.list(values)}`)
}

function countStatement(batch: ErrorBatch, { dialect }: Transaction): Statement {
  const kept = (column: string): Statement => sql`${groups}.${sql.name(column)}`
  const given = (column: string): Statement => insertedValue(column, dialect)
  const ifNewer = (column: string): Statement =>
    sql`CASE WHEN ${given('last_ms')} >= ${kept('last_ms')} THEN ${given(column)} ELSE ${kept(column)} END`
  const upsert = {
    table: groups,
    key: ['fingerprint'],
    row: {
      fingerprint: batch.fingerprint,
      class: batch.class,
      message: batch.message,
      code: batch.code,
      place: batch.place,
      state: ErrorStates.Open,
      occurrences: batch.count,
      first_ms: batch.firstMs,
      last_ms: batch.lastMs,
      first_release: batch.release,
      last_release: batch.release,
    },
    changes: {
      occurrences: sql`${kept('occurrences')} + ${given('occurrences')}`,
      message: ifNewer('message'),
      last_release: ifNewer('last_release'),
      first_ms: sql`CASE WHEN ${given('first_ms')} < ${kept('first_ms')} THEN ${given('first_ms')} ELSE ${kept('first_ms')} END`,
      // Last: the others look at the old one.
      last_ms: ifNewer('last_ms'),
    },
    returning: ['occurrences', 'state', 'first_ms'],
  }
  return upsertStatement(upsert, dialect)
}

// Of all that see a resolved group, one changes its state. What happened before it was resolved, and
// was stored late, does not.
async function reopen(transaction: Transaction, batch: ErrorBatch): Promise<boolean> {
  const { fingerprint, lastMs, release } = batch
  const { affected } = await transaction.run(sql`UPDATE ${groups}
    SET state = ${ErrorStates.Open}, returned_ms = ${lastMs}, returned_release = ${release},
      resolved_ms = NULL, resolved_release = NULL
    WHERE fingerprint = ${fingerprint} AND state = ${ErrorStates.Resolved}
      AND resolved_ms < ${lastMs} AND (resolved_release IS NULL OR resolved_release <> ${release})`)
  return affected > 0
}

/** Adds what it was seen with, and when; resolves with whether that is a spike. */
async function addMarks(
  transaction: Transaction,
  batch: ErrorBatch,
  isNew: boolean,
): Promise<boolean> {
  const { fingerprint, accounts, titles, release } = batch
  const found = isNew
    ? []
    : await transaction.rows(
        sql`SELECT kind, value FROM ${marks} WHERE fingerprint = ${fingerprint}`,
      )
  const missing = [
    ...accounts.map((value) => ({ kind: 'account', value })),
    ...titles.map((value) => ({ kind: 'title', value })),
    ...(release === '' ? [] : [{ kind: 'release', value: release }]),
  ].filter((mark) => !found.some(({ kind, value }) => kind === mark.kind && value === mark.value))
  const rows = [...markLimits].flatMap(([kind, limit]) => {
    const room = limit - found.filter((mark) => mark['kind'] === kind).length
    return missing.filter((mark) => mark.kind === kind).slice(0, Math.max(0, room))
  })
  const known = found.find(({ kind }) => kind === 'hours')
  const mark = known === undefined ? '' : String(known['value'])
  const { value, counts, isLast } = hoursWith(batch, mark)
  if (known === undefined) rows.push({ kind: 'hours', value })
  else {
    await transaction.run(sql`UPDATE ${marks} SET value = ${value}
      WHERE fingerprint = ${fingerprint} AND kind = 'hours'`)
  }
  if (rows.length > 0) await addMark(transaction, fingerprint, ...rows)
  return isLast && isSpike(counts, batch.count)
}

async function addSample(
  transaction: Transaction,
  { fingerprint, lastMs, sample }: ErrorBatch,
  isNew: boolean,
): Promise<void> {
  const body = JSON.stringify(sample)
  await transaction.run(sql`INSERT INTO ${samples} (fingerprint, at_ms, body)
    VALUES (${fingerprint}, ${lastMs}, ${body})`)
  if (isNew) return
  const [surplus] = await transaction.rows(sql`SELECT id FROM ${samples}
    WHERE fingerprint = ${fingerprint} ORDER BY id DESC LIMIT 1 OFFSET ${ErrorLimits.samples}`)
  if (surplus === undefined) return
  await transaction.run(
    sql`DELETE FROM ${samples} WHERE fingerprint = ${fingerprint} AND id <= ${surplus['id']}`,
  )
}
