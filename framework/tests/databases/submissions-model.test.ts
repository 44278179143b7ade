import { test } from 'node:test'
import * as fc from 'fast-check'
import type { Database } from '../../src/database/surface.ts'
import { Dialects } from '../../src/database/sql/dialects/dialect.ts'
import { sql } from '../../src/database/sql/plan/statement.ts'
import { createSessionsTable, SqlSessions } from '../../src/http/session/sql-sessions.ts'
import { SubmissionRows } from '../../src/http/submissions/submission-rows.ts'
import type { SubmissionClaim, SubmissionSlot } from '../../src/http/submissions/submission-rows.ts'
import { Schema } from '../../src/migrations/schema.ts'
import { onEveryDatabase } from '../support/test-databases.ts'
import { assertExplained, dropping } from './at-once.ts'
import type { Explanation, Model, Site, Stores } from './at-once.ts'

/** What a slot holds. */
interface Kept {
  readonly digest: string
  readonly expires: number
  readonly sealed: string
  readonly revision: number
}

type Call =
  | {
      readonly verb: 'take' | 'look'
      readonly form: number
      readonly isShared: boolean
      readonly seconds: number
    }
  | {
      readonly verb: 'record' | 'release'
      readonly claim: number
      readonly sealed: string
      readonly seconds: number
    }
  | { readonly verb: 'sweep' }

class SubmissionsSite implements Site<Call, Kept> {
  readonly stores: Stores
  readonly scheduler: fc.Scheduler
  readonly #claims: SubmissionClaim[] = []
  /** How often each slot was changed. */
  readonly #changes = new Map<string, number>()

  constructor(stores: Stores, scheduler: fc.Scheduler) {
    this.stores = stores
    this.scheduler = scheduler
  }

  async stored(): Promise<Model<Kept>> {
    const rows = await this.stores.database.rows(sql`SELECT * FROM sessions`)
    return new Map(
      rows.map(({ digest: slot, data, revision }) => {
        const [digest = '', expires, sealed = ''] = String(data).split(' ')
        return [
          String(slot),
          { digest, expires: Number(expires), sealed, revision: Number(revision) },
        ]
      }),
    )
  }

  async make(call: Call, database: Database): Promise<Explanation<Kept>> {
    const { clock } = this.stores
    const { now } = clock
    const store = new SqlSessions(database)
    const rows = new SubmissionRows({ store, clock: () => clock.now })
    switch (call.verb) {
      case 'take':
        return this.#take(rows, slotOf(call), call.seconds)
      case 'look': {
        const place = slotOf(call)
        const progress = await rows.look(place)
        const found = progress === 'pending' ? '' : (progress?.sealed ?? null)
        return (model) => {
          const kept = model.get(place.slot)
          const sealed = isClaimed(kept, place, now) ? kept?.sealed : null
          return found === sealed ? model : null
        }
      }
      case 'sweep': {
        const count = await store.sweep(now)
        for (const slot of slots) this.#changed(slot)
        return dropping(count, ({ expires }) => expires <= now)
      }
      case 'record':
      case 'release':
        break
    }
    const claim = this.#claims[call.claim % Math.max(1, this.#claims.length)]
    if (claim === undefined) return (model) => model
    const isRecord = call.verb === 'record'
    await (isRecord ? rows.record(claim, call.sealed, call.seconds) : rows.release(claim))
    this.#changed(claim.slot)
    const written = isRecord
      ? { digest: claim.digest, expires: now + call.seconds, sealed: call.sealed }
      : { digest: '', expires: now, sealed: '' }
    return (model) => {
      const { slot, revision } = claim
      if (model.get(slot)?.revision !== revision) return model
      return new Map(model).set(slot, { ...written, revision: revision + 1 })
    }
  }

  async #take(
    rows: SubmissionRows,
    place: SubmissionSlot,
    seconds: number,
  ): Promise<Explanation<Kept>> {
    const { now } = this.stores.clock
    const { slot, digest } = place
    const before = this.#changes.get(slot)
    const claim = await rows.take(place, seconds)
    if (claim === null) {
      // Another request was first, whatever became of it, or a sweep: then it is tried again.
      const isRaced = this.#changes.get(slot) !== before
      return (model) => (isRaced || isClaimed(model.get(slot), place, now) ? model : null)
    }
    this.#changed(slot)
    this.#claims.push(claim)
    const { revision } = claim
    return (model) => {
      const kept = model.get(slot)
      if (isClaimed(kept, place, now) || revision !== (kept?.revision ?? 0) + 1) return null
      return new Map(model).set(slot, { digest, expires: now + seconds, sealed: '', revision })
    }
  }

  #changed(slot: string): void {
    this.#changes.set(slot, (this.#changes.get(slot) ?? 0) + 1)
  }
}

function isClaimed(kept: Kept | undefined, { digest }: SubmissionSlot, now: number): boolean {
  return kept !== undefined && kept.digest === digest && kept.expires > now
}

/** Submissions of guests share slots. */
function slotOf({ form, isShared }: Extract<Call, { verb: 'take' | 'look' }>): SubmissionSlot {
  const digest = String(form).repeat(64)
  return { digest, slot: isShared ? shared : digest }
}

const shared = 'f'.repeat(64)
const slots = [shared, ...[0, 1, 2].map((form) => String(form).repeat(64))]

const seconds = fc.constantFrom(1, 2, 3600)
const call: fc.Arbitrary<Call> = fc.oneof(
  fc.record({
    verb: fc.constantFrom('take', 'take', 'look'),
    form: fc.nat(2),
    isShared: fc.boolean(),
    seconds,
  }),
  fc.record({
    verb: fc.constantFrom('record', 'release'),
    claim: fc.nat(5),
    sealed: fc.constantFrom('a', 'b'),
    seconds,
  }),
  fc.record({ verb: fc.constant('sweep') }),
)

onEveryDatabase((name, open) => {
  test('claims of submissions behave as in some sequential order, and leave its state', async (t) => {
    const database = await open(t)
    await database.transaction((transaction) => createSessionsTable(new Schema(transaction)))
    const openSite = async (scheduler: fc.Scheduler): Promise<SubmissionsSite> => {
      await database.run(sql`DELETE FROM sessions`)
      return new SubmissionsSite({ database, clock: { now: 1_700_000_000 } }, scheduler)
    }
    await assertExplained(call, openSite, name === Dialects.SQLite ? 250 : 30)
  })
})
