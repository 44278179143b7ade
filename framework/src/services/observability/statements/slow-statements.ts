import { relative } from 'node:path'
import type { CallSite } from '../../activity/caller.ts'
import { StepKinds } from '../../activity/step.ts'
import type { Step, StepWatcher } from '../../activity/step.ts'
import { maxStatements, mergeStatements } from './statement-stats.ts'
import type { StatementStats } from './statement-stats.ts'
import { statementText } from './statement-text.ts'

/** Statements remembered at a time, so that generated ones cannot exhaust memory. */
const maxKnown = 200
/** Longer statements are cut: those that begin alike count as one. */
const maxLength = 1_000
/** A list covers the last one to two of these. */
const periodMs = 300_000

/** Remembers the slowest statements of the last five to ten minutes. */
export class SlowStatements implements StepWatcher {
  readonly wantsCallers = true
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
  caller: CallSite | null
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

  add(step: Step): void {
    const text = step.text.length <= maxLength ? step.text : beginningOf(step.text)
    const entry = this.#entries.get(text) ?? this.#admit(text, step.durationMs)
    if (entry === null) return
    entry.count += 1
    entry.totalMs += step.durationMs
    if (step.durationMs < entry.maxMs) return
    entry.maxMs = step.durationMs
    // Finding it is slow, but a new maximum soon becomes rare.
    entry.caller = step.caller ?? entry.caller
  }

  /** More than are shown: some may become equal without the values written into them. */
  stats(): StatementStats[] {
    const slowest = [...this.#entries].sort(([, a], [, b]) => b.maxMs - a.maxMs)
    const shown = slowest.slice(0, 3 * maxStatements)
    return shown.map(([text, { count, totalMs, maxMs, caller }]) => ({
      statement: statementText(text),
      count,
      total: totalMs / 1_000,
      max: maxMs / 1_000,
      caller: caller === null ? null : `${relative(process.cwd(), caller.file)}:${caller.line}`,
    }))
  }

  #admit(text: string, durationMs: number): Entry | null {
    if (this.#entries.size >= maxKnown) {
      if (durationMs <= this.#floorMs) return null
      this.#dropQuickest()
    }
    const entry = { count: 0, totalMs: 0, maxMs: 0, caller: null }
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

// A copy: a slice would keep the whole text in memory.
function beginningOf(text: string): string {
  return Buffer.from(`${text.slice(0, maxLength)} …`).toString()
}
