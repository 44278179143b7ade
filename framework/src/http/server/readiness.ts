import { settledWithin } from '../../base/pending-work.ts'

/** Checks whether something the project needs is available; false, a throw or a rejection means no. */
export type ReadyCheck = () => unknown

/** The body of `/ready`. */
export interface ReadyResponse {
  readonly status: 'ready' | 'unready'
  readonly checks: Readonly<Record<string, 'ok' | 'failed'>>
}

/** Called with the reason why a check failed, which is not part of the response. */
export type CheckFailed = (name: string, reason: unknown) => void

/** A check that takes longer has failed. */
const checkTimeoutMs = 5_000

/** Whether this process should get requests: it is not draining, and every check passes. */
export class Readiness {
  /** True once the process was told to stop. */
  draining = false
  readonly #checks = new Map<string, ReadyCheck>()
  readonly #failed: CheckFailed

  constructor(failed: CheckFailed = () => {}) {
    this.#failed = failed
  }

  /** Adds a check, replacing one with the same name. */
  add(name: string, check: ReadyCheck): void {
    this.#checks.set(name, check)
  }

  /** Runs all checks concurrently. Never rejects. */
  async ask(): Promise<ReadyResponse> {
    const outcomes = await Promise.all(
      [...this.#checks].map(async ([name, check]) => [name, await this.#run(name, check)] as const),
    )
    const holds = outcomes.every(([, outcome]) => outcome === 'ok')
    return {
      status: holds && !this.draining ? 'ready' : 'unready',
      checks: Object.fromEntries(outcomes),
    }
  }

  async #run(name: string, check: ReadyCheck): Promise<'ok' | 'failed'> {
    try {
      const outcome = Promise.resolve(check())
      if (!(await settledWithin(outcome, checkTimeoutMs))) throw new Error('it took too long')
      if ((await outcome) === false) throw new Error('it said no')
      return 'ok'
    } catch (reason) {
      this.#failed(name, reason)
      return 'failed'
    }
  }
}
