import type { JobStore, Lease } from './job-store.ts'

/** Options of `Leases`. */
export interface LeasesOptions {
  /** Duration of a lease in seconds. */
  readonly visibility: number
  /** A monotonic clock in milliseconds. */
  readonly nowMs?: () => number
}

interface Held {
  readonly lease: Lease
  readonly lost: AbortController
  /** Until when no other worker can claim the job. */
  untilMs: number
}

/**
 * The leases of the jobs that a process runs. They are renewed while it is alive, so that it keeps a
 * long job, while the jobs of a dead process are soon available to others.
 */
export class Leases {
  readonly #store: Pick<JobStore, 'extend'>
  readonly #visibility: number
  readonly #nowMs: () => number
  readonly #held = new Map<string, Held>()
  #timer: NodeJS.Timeout | null = null

  constructor(
    store: Pick<JobStore, 'extend'>,
    { visibility, nowMs = () => performance.now() }: LeasesOptions,
  ) {
    this.#store = store
    this.#visibility = visibility
    this.#nowMs = nowMs
  }

  /** Keeps a new lease renewed. The signal aborts when it is lost. */
  hold(lease: Lease): AbortSignal {
    const lost = new AbortController()
    this.#held.set(lease.token, { lease, lost, untilMs: this.#endMs() })
    return lost.signal
  }

  /** Stops renewing a lease. */
  drop({ token }: Lease): void {
    this.#held.delete(token)
  }

  /** Renews all leases three times per lease duration, until `stop()`. */
  start(): void {
    this.#timer ??= setInterval(() => void this.renew(), (this.#visibility * 1_000) / 3)
  }

  stop(): void {
    if (this.#timer !== null) clearInterval(this.#timer)
    this.#timer = null
  }

  /** Renews all leases once. Never rejects: a failing store may recover before a lease expires. */
  async renew(): Promise<void> {
    await Promise.all(this.#held.values().map((held) => this.#renew(held)))
  }

  async #renew(held: Held): Promise<void> {
    // Counted from before the call, which may take a while.
    const endMs = this.#endMs()
    const renewed = await this.#store.extend(held.lease, this.#visibility).catch(() => null)
    if (renewed === true) held.untilMs = endMs
    else if (renewed === false || this.#nowMs() >= held.untilMs) {
      held.lost.abort(new Error('another worker may have taken over this job'))
    }
  }

  #endMs(): number {
    return this.#nowMs() + this.#visibility * 1_000
  }
}
