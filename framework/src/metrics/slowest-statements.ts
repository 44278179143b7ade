import { isRecord } from '../base/is-record.ts'
import type { CallSite } from '../activity/caller.ts'
import { shownStatement } from '../activity/shown-statement.ts'
import { StepKinds } from '../activity/step.ts'
import type { Step, StepWatcher } from '../activity/step.ts'
import { shownCaller } from '../activity/caller.ts'

/** How often a statement ran lately, and how long it took; all times are in seconds. */
export interface StatementStats {
  /** The statement without its values. */
  readonly statement: string
  readonly count: number
  readonly total: number
  readonly max: number
  /** A line of the project that sends it, such as `shop/orders.ts:12`; null if there is none. */
  readonly caller: string | null
}

/** How many statements are shown. */
const maxStatements = 20

/** Statements remembered at a time, so that generated ones cannot exhaust memory. */
const maxKnown = 200
/** Longer statements are cut: those that begin alike count as one. */
const maxLength = 1_000
/** A list covers the last one to two of these. */
const periodMs = 300_000

/** Remembers the slowest statements of the last five to ten minutes. */
export class SlowestStatements implements StepWatcher {
  /** Only until it has been asked for: keeping a stack takes longer than everything else here. */
  readonly wantsCallers = (step: Step): boolean =>
    step.kind === StepKinds.Sql && this.#period.wantsCaller(step.text)

  #period = new Period(performance.now())
  #before = new Period(0)

  /** How many statements are remembered. */
  get size(): number {
    return this.#period.size + this.#before.size
  }

  ended(step: Step): void {
    if (step.kind !== StepKinds.Sql) return
    this.#turn(step.startMs + step.durationMs)
    this.#period.add(step)
  }

  /** The slowest ones, slowest first. */
  list(nowMs: number = performance.now()): StatementStats[] {
    this.#turn(nowMs)
    return mergeStatements([this.#period.stats(), this.#before.stats()])
  }

  #turn(nowMs: number): void {
    if (nowMs - this.#period.sinceMs < periodMs) return
    const isLongAgo = nowMs - this.#period.sinceMs >= 2 * periodMs
    this.#before = isLongAgo ? new Period(0) : this.#period
    this.#period = new Period(nowMs)
  }
}

interface Entry {
  count: number
  totalMs: number
  maxMs: number
  /** Undefined until it was asked for; null if the statement has none. */
  caller: CallSite | null | undefined
}

class Period {
  readonly sinceMs: number
  readonly #entries = new Map<string, Entry>()
  /** What a new statement must exceed when there is no room. */
  #floorMs = 0

  constructor(sinceMs: number) {
    this.sinceMs = sinceMs
  }

  get size(): number {
    return this.#entries.size
  }

  wantsCaller(sql: string): boolean {
    const entry = this.#entries.get(keyOf(sql))
    return entry === undefined ? this.#entries.size < maxKnown : entry.caller === undefined
  }

  add(step: Step): void {
    const key = keyOf(step.text)
    const entry = this.#entries.get(key) ?? this.#admit(key, step.durationMs)
    if (entry === null) return
    entry.count += 1
    entry.totalMs += step.durationMs
    entry.maxMs = Math.max(entry.maxMs, step.durationMs)
    if (entry.caller === undefined) entry.caller = step.caller
  }

  /** More than are shown: some may become equal without the values written into them. */
  stats(): StatementStats[] {
    const slowest = [...this.#entries].sort(([, a], [, b]) => b.maxMs - a.maxMs)
    const shown = slowest.slice(0, 3 * maxStatements)
    return shown.map(([text, { count, totalMs, maxMs, caller }]) => ({
      statement: shownStatement(text),
      count,
      total: totalMs / 1_000,
      max: maxMs / 1_000,
      caller: caller ? shownCaller(caller, process.cwd()) : null,
    }))
  }

  #admit(text: string, durationMs: number): Entry | null {
    if (this.#entries.size >= maxKnown) {
      if (durationMs <= this.#floorMs) return null
      this.#dropQuickest()
    }
    const entry: Entry = { count: 0, totalMs: 0, maxMs: 0, caller: undefined }
    this.#entries.set(text, entry)
    return entry
  }

  #dropQuickest(): void {
    let quickest = ''
    let leastMs = Infinity
    for (const [text, { maxMs }] of this.#entries) {
      if (maxMs >= leastMs) continue
      quickest = text
      leastMs = maxMs
    }
    this.#entries.delete(quickest)
    this.#floorMs = leastMs
  }
}

function keyOf(sql: string): string {
  // A copy: a slice would keep the whole text in memory.
  return sql.length <= maxLength ? sql : Buffer.from(`${sql.slice(0, maxLength)} …`).toString()
}

/** The slowest statements of several lists, those with the highest `max` first; equal ones are added up. */
export function mergeStatements(lists: readonly (readonly StatementStats[])[]): StatementStats[] {
  const merged = new Map<string, StatementStats>()
  for (const one of lists.flat()) {
    const known = merged.get(one.statement)
    merged.set(one.statement, known === undefined ? one : added(known, one))
  }
  return [...merged.values()].sort((a, b) => b.max - a.max).slice(0, maxStatements)
}

function added(one: StatementStats, other: StatementStats): StatementStats {
  const slower = other.max > one.max ? other : one
  return {
    statement: one.statement,
    count: one.count + other.count,
    total: one.total + other.total,
    max: slower.max,
    caller: slower.caller ?? one.caller ?? other.caller,
  }
}

/** The valid entries of a decoded list, at most as many as are shown. */
export function readStatements(list: unknown): StatementStats[] {
  return Array.isArray(list) ? list.slice(0, maxStatements).flatMap(readOne) : []
}

function readOne(given: unknown): StatementStats[] {
  if (!isRecord(given)) return []
  const { statement, count, total, max, caller } = given
  if (typeof statement !== 'string' || !isAmount(count) || !isAmount(total) || !isAmount(max)) {
    return []
  }
  return [{ statement, count, total, max, caller: typeof caller === 'string' ? caller : null }]
}

function isAmount(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0
}
