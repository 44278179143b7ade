import { CurrentWork } from '../../activity/current-work.ts'
import { Steps } from '../../activity/steps.ts'
import { Emitter } from '../../events/emitter.ts'
import type { Channel } from '../../logs/channel.ts'
import type { Logs } from '../../logs/logs.ts'
import {
  repeatFix,
  repeatMessage,
  countRepeats,
  repeatedStatements,
} from '../../activity/repeated-statements.ts'
import { shownCaller } from '../../activity/caller.ts'
import { RequestEvents } from '../request/request-events.ts'
import type { Request } from '../request/request.ts'

/** Options of `RepeatedStatementLog`. */
export interface RepeatedStatementLogOptions {
  /** Receives the lines, on its channel `queries`. */
  readonly logs: Logs
  /** From how many repetitions on a statement is logged. */
  readonly min: number
  /** Folder of the project, which callers are relative to. */
  readonly root: string
  /** The emitter of the server. @default Emitter.Instance */
  readonly emitter?: Emitter
}

/** Lines for one request. */
const maxLines = 3

/**
 * Logs at the end of each request which statements it repeated from one line (N+1), until it is closed.
 * For development.
 */
export class RepeatedStatementLog {
  readonly #channel: Channel
  readonly #min: number
  readonly #root: string
  readonly #stops: readonly (() => void)[]

  constructor({ logs, min, root, emitter = Emitter.Instance }: RepeatedStatementLogOptions) {
    this.#channel = logs.channel('queries')
    this.#min = min
    this.#root = root
    this.#stops = [
      CurrentWork.follow(),
      Steps.Instance.watch(countRepeats),
      emitter.listen(RequestEvents.Handled, (request) => this.#handled(request)),
    ]
  }

  /** Stops listening. */
  close(): void {
    for (const stop of this.#stops) stop()
  }

  #handled({ activity }: Request): void {
    if (activity === null) return
    for (const repeated of repeatedStatements(activity, this.#min).slice(0, maxLines)) {
      const { statement, count, caller, durationMs } = repeated
      this.#channel.warn(repeatMessage(repeated, this.#root), {
        statement,
        count,
        ms: Math.round(durationMs * 100) / 100,
        caller: shownCaller(caller, this.#root),
        fix: repeatFix(repeated),
        title: activity.title,
        request: activity.id,
      })
    }
  }
}
