import { randomUUID } from 'node:crypto'
import { epochSeconds } from '../base/time/epoch-seconds.ts'
import type {
  JobStore,
  Lease,
  LeasedJob,
  ListedJob,
  ListedStates,
  NewJob,
  QueueCounts,
} from './job-store.ts'

/** Options of `MemoryJobs`. */
export interface MemoryJobsOptions {
  /** Epoch seconds. */
  readonly clock?: () => number
}

interface Entry {
  readonly id: string
  readonly queue: string
  readonly digest: string | null
  readonly added: number
  payload: Uint8Array
  attempts: number
  reason: string | null
  token: string | null
  /** When it may be claimed; for a leased job, when the lease expires. */
  due: number
  state: 'waiting' | 'dead' | 'done'
  endedAt: number
}

/** Jobs in the memory of this process, for tests and for jobs that may be lost with the process. */
export class MemoryJobs implements JobStore {
  readonly #clock: () => number
  readonly #entries = new Map<string, Entry>()
  readonly #paused = new Set<string>()
  #last = 0

  constructor({ clock = epochSeconds }: MemoryJobsOptions = {}) {
    this.#clock = clock
  }

  async add(queue: string, { payload, delay, digest, remember }: NewJob): Promise<boolean> {
    if (digest !== null) {
      const known = this.#find((entry) => entry.queue === queue && entry.digest === digest)
      const [old] = known
      if (old !== undefined && !this.#isReplaceable(old, remember)) return false
      if (old !== undefined) this.#entries.delete(old.id)
    }
    this.#last += 1
    const id = String(this.#last)
    const added = this.#clock()
    const fresh = { attempts: 0, reason: null, token: null, state: 'waiting' as const, endedAt: 0 }
    this.#entries.set(id, { id, queue, digest, added, payload, due: added + delay, ...fresh })
    return true
  }

  async claim(queue: string, limit: number, visibility: number): Promise<readonly LeasedJob[]> {
    if (this.#paused.has(queue)) return []
    const now = this.#clock()
    const due = this.#find((entry) => isWaiting(entry, queue) && entry.due <= now)
    const taken = due.toSorted((a, b) => a.due - b.due || Number(a.id) - Number(b.id))
    return taken.slice(0, limit).map((entry) => {
      const token = randomUUID()
      Object.assign(entry, { token, due: now + visibility, attempts: entry.attempts + 1 })
      const { id, payload, attempts: attempt } = entry
      return { queue, id, token, payload, attempt }
    })
  }

  async extend(lease: Lease, visibility: number): Promise<boolean> {
    return this.#change(lease, (entry) => void (entry.due = this.#clock() + visibility))
  }

  async complete(lease: Lease): Promise<boolean> {
    return this.#change(lease, (entry) => {
      if (entry.digest === null) this.#entries.delete(entry.id)
      else this.#end(entry, 'done')
      entry.payload = new Uint8Array()
    })
  }

  async release(lease: Lease, delay: number, reason: string): Promise<boolean> {
    return this.#change(lease, (entry) => {
      Object.assign(entry, { token: null, due: this.#clock() + delay, reason })
    })
  }

  async bury(lease: Lease, reason: string): Promise<boolean> {
    return this.#change(lease, (entry) => {
      entry.reason = reason
      this.#end(entry, 'dead')
    })
  }

  async counts(queue: string): Promise<QueueCounts> {
    const now = this.#clock()
    const open = this.#find((entry) => isWaiting(entry, queue))
    const waiting = open.filter(({ due }) => due <= now)
    const running = open.filter((entry) => isRunning(entry, now))
    return {
      waiting: waiting.length,
      delayed: open.length - waiting.length - running.length,
      running: running.length,
      dead: this.#find((entry) => entry.queue === queue && entry.state === 'dead').length,
      age: Math.max(0, ...waiting.map(({ due }) => now - due)),
      paused: this.#paused.has(queue),
    }
  }

  async list(
    queue: string,
    state: ListedStates,
    { offset, limit }: { readonly offset: number; readonly limit: number },
  ): Promise<readonly ListedJob[]> {
    const now = this.#clock()
    const stateOf = (entry: Entry): string => (isRunning(entry, now) ? 'running' : entry.state)
    const found = this.#find((entry) => entry.queue === queue && stateOf(entry) === state)
    return found
      .toReversed()
      .slice(offset, offset + limit)
      .map(({ id, attempts, reason, added, due, endedAt, payload }) => {
        const at = { running: null, waiting: due, dead: endedAt }[state]
        return { id, attempts, reason, added, at, bytes: payload.length }
      })
  }

  async pause(queue: string): Promise<void> {
    this.#paused.add(queue)
  }

  async resume(queue: string): Promise<void> {
    this.#paused.delete(queue)
  }

  async retry(queue: string, id?: string): Promise<number> {
    const dead = this.#find((entry) => isOne(entry, queue, id) && entry.state === 'dead')
    const due = this.#clock()
    for (const entry of dead) Object.assign(entry, { state: 'waiting', attempts: 0, due })
    return dead.length
  }

  async clear(queue: string, id?: string): Promise<number> {
    const now = this.#clock()
    const dropped = this.#find(
      (entry) => isOne(entry, queue, id) && entry.state !== 'done' && !isRunning(entry, now),
    )
    for (const { id } of dropped) this.#entries.delete(id)
    return dropped.length
  }

  async sweep(queue: string, remember: number): Promise<void> {
    const old = this.#clock() - remember
    const forgotten = this.#find(
      (entry) => entry.queue === queue && entry.state === 'done' && entry.endedAt <= old,
    )
    for (const { id } of forgotten) this.#entries.delete(id)
  }

  async names(): Promise<readonly string[]> {
    const kept = this.#find(({ state }) => state !== 'done')
    return [...new Set([...kept.map(({ queue }) => queue), ...this.#paused])].toSorted()
  }

  #find(matches: (entry: Entry) => boolean): Entry[] {
    return this.#entries.values().filter(matches).toArray()
  }

  #isReplaceable({ state, endedAt }: Entry, remember: number): boolean {
    return state === 'dead' || (state === 'done' && endedAt <= this.#clock() - remember)
  }

  #end(entry: Entry, state: 'dead' | 'done'): void {
    Object.assign(entry, { state, token: null, endedAt: this.#clock() })
  }

  #change({ id, token }: Lease, change: (entry: Entry) => void): boolean {
    const entry = this.#entries.get(id)
    if (entry === undefined || entry.token !== token) return false
    change(entry)
    return true
  }
}

function isRunning({ token, due }: Entry, now: number): boolean {
  return token !== null && due > now
}

/** Whether it is the job with this id, or any if there is none. */
function isOne(entry: Entry, queue: string, id: string = entry.id): boolean {
  return entry.queue === queue && entry.id === id
}

function isWaiting(entry: Entry, queue: string): boolean {
  return entry.queue === queue && entry.state === 'waiting'
}
