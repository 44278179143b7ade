/** Tells whether something the project needs is there: false, a throw or a rejection is a no. */
export type ReadyCheck = () => unknown

/** What readiness says about this process. */
export interface ReadyAnswer {
  readonly status: 'ready' | 'unready'
  readonly checks: Readonly<Record<string, 'ok' | 'failed'>>
}

/** Is told why a check failed; the answer itself does not say. */
export type CheckFailed = (name: string, reason: unknown) => void

/** A check that takes longer has failed: whoever asks wants to know now. */
const checkTimeoutMs = 5_000

/** Whether this process should get requests: it is not draining, and every check holds. */
export class Readiness {
  /** Set once the process was told to stop, from when on nobody should send it anything new. */
  draining = false
  readonly #checks = new Map<string, ReadyCheck>()
  readonly #failed: CheckFailed

  constructor(failed: CheckFailed = () => {}) {
    this.#failed = failed
  }

  /** Adds a check, in place of one of the same name. */
  add(name: string, check: ReadyCheck): void {
    this.#checks.set(name, check)
  }

  /** Runs all checks at once. Never rejects. */
  async ask(): Promise<ReadyAnswer> {
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
    let timer: NodeJS.Timeout | undefined
    try {
      const late = new Promise<never>((_resolve, reject) => {
        timer = setTimeout(() => reject(new Error('it took too long')), checkTimeoutMs)
      })
      const outcome = await Promise.race([Promise.resolve(check()), late])
      if (outcome === false) throw new Error('it said no')
      return 'ok'
    } catch (reason) {
      this.#failed(name, reason)
      return 'failed'
    } finally {
      clearTimeout(timer)
    }
  }
}
