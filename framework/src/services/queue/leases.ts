import type { JobStore, Lease } from './job-store.ts'

/** What leases are kept with. */
export interface LeasesOptions {
  /** Seconds for which a lease is given. */
  readonly visibility: number
  /** Time that only goes forward, in milliseconds. */
  readonly nowMs?: () => number
}

interface Held {
  readonly lease: Lease
  readonly lost: AbortController
  /** Until when nobody else can have got the job. */
  untilMs: number
}

/**
 * The leases of the jobs a process works on. They are renewed as long as it lives, so that a long
 * job stays its own and the jobs of a dead process are soon another's.
 */
export class Leases {
  readonly #store: JobStore
  readonly #visibility: number
  readonly #nowMs: () => number
  readonly #held = new Map<string, Held>()
  #timer: NodeJS.Timeout | null = null

  constructor(store: JobStore, { visibility, nowMs = () => performance.now() }: LeasesOptions) {
    this.#store = store
    this.#visibility = visibility
    this.#nowMs = nowMs
  }

  /** Keeps a lease that was just given. The signal is aborted when it was lost. */
  hold(lease: Lease): AbortSignal {
    const lost = new AbortController()
    this.#held.set(lease.token, { lease, lost, untilMs: this.#endMs() })
    return lost.signal
  }

  /** Keeps it no longer. */
  drop({ token }: Lease): void {
    this.#held.delete(token)
  }

  /** Renews all of them, three times in the life of a lease, until `stop()`. */
  start(): void {
    this.#timer ??= setInterval(() => void this.renew(), (this.#visibility * 1_000) / 3)
  }

  stop(): void {
    if (this.#timer !== null) clearInterval(this.#timer)
    this.#timer = null
  }

  /** Renews all of them once. Never rejects: a store that is away may be back before a lease ends. */
  async renew(): Promise<void> {
    await Promise.all(this.#held.values().map((held) => this.#renew(held)))
  }

  async #renew(held: Held): Promise<void> {
    // Counted from before the question: the answer may take its time.
    const endMs = this.#endMs()
    const renewed = await this.#store.extend(held.lease, this.#visibility).catch(() => null)
    if (renewed === true) held.untilMs = endMs
    else if (renewed === false || this.#nowMs() >= held.untilMs) {
      held.lost.abort(new Error('another worker may have this job by now'))
    }
  }

  #endMs(): number {
    return this.#nowMs() + this.#visibility * 1_000
  }
}
