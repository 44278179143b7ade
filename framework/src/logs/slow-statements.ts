import { shownStatement } from '../activity/shown-statement.ts'
import { StepKinds } from '../activity/step.ts'
import type { Step, StepWatcher } from '../activity/step.ts'
import { Steps } from '../activity/steps.ts'
import type { Channel } from './channel.ts'
import { LineQuota } from './line-quota.ts'
import type { Logs } from './logs.ts'
import { shownCaller } from '../activity/caller.ts'

/** Options of `SlowStatements`. */
export interface SlowStatementsOptions {
  /** Receives the lines, on its channel `queries`. */
  readonly logs: Logs
  /** From how many milliseconds on a statement is slow. */
  readonly ms: number
  /** Folder of the project, which callers are relative to. */
  readonly root: string
  /** @default those of the process */
  readonly steps?: Steps
}

/** Lines per minute of one statement. */
const maxLines = 10
/** Statements that are told apart within a minute. */
const maxStatements = 100
const windowSeconds = 60

/**
 * Logs slow statements until it is closed. Visitors can cause slow statements, so of each only a few
 * lines a minute are written; the rest is one line with their number at the end of the minute.
 */
export class SlowStatements implements StepWatcher {
  readonly minMs: number
  readonly #channel: Channel
  readonly #root: string
  readonly #quota = new LineQuota<'slow'>({ lines: maxLines, sources: maxStatements })
  readonly #stop: () => void
  #window: NodeJS.Timeout | null = null

  constructor({ logs, ms, root, steps = Steps.Instance }: SlowStatementsOptions) {
    this.#channel = logs.channel('queries')
    this.minMs = ms
    this.#root = root
    this.#stop = steps.watch(this)
  }

  ended(step: Step): void {
    // A failed one may be short.
    if (step.durationMs >= this.minMs && step.kind === StepKinds.Sql) this.#tell(step)
  }

  /** Stops watching and writes the pending numbers. */
  close(): void {
    this.#stop()
    this.#endWindow()
  }

  #tell(step: Step): void {
    const statement = shownStatement(step.text)
    this.#window ??= setTimeout(() => this.#endWindow(), windowSeconds * 1000).unref()
    if (!this.#quota.take('slow', statement)) return
    const { durationMs, count, failure, caller } = step
    const { activity } = step.context
    this.#channel.warn('slow statement', {
      statement,
      ms: Math.round(durationMs),
      rows: count,
      caller: caller === null ? null : shownCaller(caller, this.#root),
      ...(failure !== null && { failure }),
      ...(activity !== null && { [activity.kind]: activity.id, title: activity.title }),
    })
  }

  #endWindow(): void {
    if (this.#window !== null) clearTimeout(this.#window)
    this.#window = null
    for (const { source: statement, count } of this.#quota.restart()) {
      this.#channel.warn(`${count} more slow statements`, {
        statement,
        count,
        seconds: windowSeconds,
      })
    }
  }
}
