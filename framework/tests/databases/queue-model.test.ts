import { test } from 'node:test'
import * as fc from 'fast-check'
import type { Database } from '../../src/database/surface.ts'
import { Dialects } from '../../src/database/sql/dialects/dialect.ts'
import { sql } from '../../src/database/sql/plan/statement.ts'
import { Schema } from '../../src/migrations/schema.ts'
import type { Lease } from '../../src/queue/job-store.ts'
import { createJobsTable, SqlJobs } from '../../src/queue/sql-jobs.ts'
import { onEveryDatabase } from '../support/test-databases.ts'
import { assertExplained, dropping } from './at-once.ts'
import type { Explanation, Model, Site, Stores } from './at-once.ts'

/** A job: by its payload, or by its key if it has one. */
interface Kept {
  readonly state: string
  readonly due: number
  /** The place of the claim that holds it, or held it last. */
  readonly lease: number | null
  readonly attempts: number
  readonly ended: number | null
}

type Call =
  | { readonly verb: 'add'; readonly key: string | null; readonly delay: number }
  | { readonly verb: 'claim'; readonly limit: number }
  | {
      readonly verb: 'complete' | 'release' | 'bury' | 'extend'
      /** The place of a claim, among those so far. */
      readonly lease: number
    }
  | { readonly verb: 'retry' | 'clear' | 'sweep' | 'pause' | 'resume' }

const queue = 'mail'
const visibility = 2
const delay = 1
const remember = 2
/** The name of the pause in a model. */
const pause = 'pause'
const paused: Kept = { state: 'paused', due: 0, lease: null, attempts: 0, ended: null }

class QueueSite implements Site<Call, Kept> {
  readonly stores: Stores
  readonly scheduler: fc.Scheduler
  readonly #leases: Lease[] = []
  readonly #skips: boolean
  #added = 0

  /** Where rows that somebody else claims are skipped, a claim may get fewer than there are. */
  constructor(stores: Stores, scheduler: fc.Scheduler, skips: boolean) {
    this.stores = stores
    this.scheduler = scheduler
    this.#skips = skips
  }

  async stored(): Promise<Model<Kept>> {
    const rows = await this.stores.database.rows(sql`SELECT * FROM jobs`)
    return new Map(
      rows.map((row) => {
        const { state, due, attempts, digest, payload, ended_at: ended } = row
        if (state === 'paused') return [pause, paused]
        // Jobs that were claimed together have the same token.
        const held = this.#leases.findIndex(({ id, token }) => {
          return id === String(row['id']) && token === row['lease']
        })
        const lease = held === -1 ? null : held
        const kept = { state: String(state), due: Number(due), lease, attempts: Number(attempts) }
        return [nameOf(digest, payload), { ...kept, ended: ended === null ? null : Number(ended) }]
      }),
    )
  }

  async make(call: Call, database: Database): Promise<Explanation<Kept>> {
    const { now } = this.stores.clock
    const jobs = new SqlJobs(database, { clock: () => now })
    switch (call.verb) {
      case 'add':
        return this.#add(jobs, now, call)
      case 'claim':
        return this.#claim(jobs, now, call.limit)
      case 'retry': {
        const isDead = ({ state }: Kept): boolean => state === 'dead'
        const again = { state: 'waiting', due: now, attempts: 0, ended: null }
        const count = await jobs.retry(queue)
        return (model) => changed(model, isDead, count, again)
      }
      case 'clear':
        return dropping(await jobs.clear(queue), ({ state, due, lease }) => {
          return ['waiting', 'dead'].includes(state) && (lease === null || due <= now)
        })
      case 'sweep':
        await jobs.sweep(queue, remember)
        return without(({ state, ended }) => state === 'done' && (ended ?? now) <= now - remember)
      case 'pause':
        await jobs.pause(queue)
        return (model) => new Map(model).set(pause, paused)
      case 'resume':
        await jobs.resume(queue)
        return without(({ state }) => state === 'paused')
      case 'complete':
      case 'release':
      case 'bury':
      case 'extend':
        break
    }
    return this.#end(jobs, now, call)
  }

  async #add(
    jobs: SqlJobs,
    now: number,
    { key, delay: wait }: Extract<Call, { verb: 'add' }>,
  ): Promise<Explanation<Kept>> {
    const text = `job ${(this.#added += 1)}`
    const digest = key === null ? null : key.repeat(64)
    const payload = new TextEncoder().encode(text)
    const isAdded = await jobs.add(queue, { payload, delay: wait, digest, remember })
    const name = key === null ? text : `key ${key}`
    const fresh = { state: 'waiting', due: now + wait, lease: null, attempts: 0, ended: null }
    return (model) => {
      const known = model.get(name)
      const isOver = known?.state === 'done' && (known.ended ?? now) <= now - remember
      const isFree = known === undefined || known.state === 'dead' || isOver
      if (isFree !== isAdded) return null
      return isFree ? new Map(model).set(name, fresh) : model
    }
  }

  async #claim(jobs: SqlJobs, now: number, limit: number): Promise<Explanation<Kept>> {
    const claimed = await jobs.claim(queue, limit, visibility)
    const found = claimed.map(({ id, token, payload, attempt }) => ({
      lease: this.#leases.push({ queue, id, token }) - 1,
      text: textOf(payload),
      attempt,
    }))
    const names = await this.#namesOf(claimed.map(({ id }) => id))
    return (model) => {
      const free = [...model].filter(([, { state, due }]) => state === 'waiting' && due <= now)
      const most = model.has(pause) ? 0 : Math.min(limit, free.length)
      if (found.length > most || (!this.#skips && found.length < most)) return null
      const next = new Map(model)
      for (const [at, { lease, attempt }] of found.entries()) {
        const name = names[at] ?? ''
        const kept = model.get(name)
        if (!free.some(([one]) => one === name) || kept?.attempts !== attempt - 1) return null
        next.set(name, { ...kept, lease, attempts: attempt, due: now + visibility })
      }
      return next
    }
  }

  /** A job with a key is named by it: its payload changes. */
  async #namesOf(ids: readonly string[]): Promise<readonly string[]> {
    const rows = await this.stores.database.rows(sql`SELECT id, digest, payload FROM jobs`)
    const named = new Map(
      rows.map(({ id, digest, payload }) => [String(id), nameOf(digest, payload)]),
    )
    return ids.map((id) => named.get(id) ?? '')
  }

  async #end(
    jobs: SqlJobs,
    now: number,
    { verb, lease: place }: Extract<Call, { lease: number }>,
  ): Promise<Explanation<Kept>> {
    const at = this.#leases.length === 0 ? -1 : place % this.#leases.length
    const lease = this.#leases[at] ?? { queue, id: '1', token: 'nobody' }
    const done = await {
      complete: () => jobs.complete(lease),
      release: () => jobs.release(lease, delay, 'again'),
      bury: () => jobs.bury(lease, 'broken'),
      extend: () => jobs.extend(lease, visibility),
    }[verb]()
    return (model) => {
      const [name, kept] = [...model].find(([, one]) => one.lease === at) ?? []
      if (done !== (kept !== undefined)) return null
      if (name === undefined || kept === undefined) return model
      const next = new Map(model)
      if (verb === 'extend') return next.set(name, { ...kept, due: now + visibility })
      if (verb === 'release') return next.set(name, { ...kept, lease: null, due: now + delay })
      if (verb === 'bury')
        return next.set(name, { ...kept, state: 'dead', lease: null, ended: now })
      if (name.startsWith('key'))
        return next.set(name, { ...kept, state: 'done', lease: null, ended: now })
      next.delete(name)
      return next
    }
  }
}

function nameOf(digest: unknown, payload: unknown): string {
  return typeof digest === 'string' ? `key ${digest.slice(0, 1)}` : textOf(payload)
}

function textOf(payload: unknown): string {
  return payload instanceof Uint8Array ? Buffer.from(payload).toString() : ''
}

function without(isDropped: (kept: Kept) => boolean): Explanation<Kept> {
  return (model) => new Map([...model].filter(([, kept]) => !isDropped(kept)))
}

/** A model in which these jobs are changed, if their number matches the outcome. */
function changed(
  model: Model<Kept>,
  isMeant: (kept: Kept) => boolean,
  count: number,
  change: Partial<Kept>,
): Model<Kept> | null {
  const meant = [...model].filter(([, kept]) => isMeant(kept))
  if (meant.length !== count) return null
  return new Map([
    ...model,
    ...meant.map(([name, kept]) => [name, { ...kept, ...change }] as const),
  ])
}

const lease = fc.nat(7)
const key = fc.constantFrom(null, null, 'a', 'b')
const call: fc.Arbitrary<Call> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ verb: fc.constant('add'), key, delay: fc.constantFrom(0, 0, 1) }),
  },
  { weight: 4, arbitrary: fc.record({ verb: fc.constant('claim'), limit: fc.constantFrom(1, 2) }) },
  {
    weight: 5,
    arbitrary: fc.record({
      verb: fc.constantFrom('complete', 'release', 'bury', 'extend'),
      lease,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      verb: fc.constantFrom('retry', 'clear', 'sweep', 'pause', 'resume', 'resume'),
    }),
  },
)

onEveryDatabase((name, open) => {
  test('workers at once leave a queue as if they had come one after the other', async (t) => {
    const database = await open(t, 'pool=4')
    await database.transaction((transaction) => createJobsTable(new Schema(transaction)))
    const openSite = async (scheduler: fc.Scheduler): Promise<QueueSite> => {
      await database.run(sql`DELETE FROM jobs`)
      const stores = { database, clock: { now: 1_700_000_000 } }
      return new QueueSite(stores, scheduler, name !== Dialects.SQLite)
    }
    await assertExplained(call, openSite, name === Dialects.SQLite ? 250 : 30)
  })
})
