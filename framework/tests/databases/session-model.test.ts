import { test } from 'node:test'
import * as fc from 'fast-check'
import type { Database } from '../../src/database/surface.ts'
import { Dialects } from '../../src/database/sql/dialects/dialect.ts'
import { sql } from '../../src/database/sql/plan/statement.ts'
import { createSessionsTable, SqlSessions } from '../../src/http/session/sql-sessions.ts'
import { Schema } from '../../src/migrations/schema.ts'
import { onEveryDatabase } from '../support/test-databases.ts'
import { assertExplained, dropping } from './at-once.ts'
import type { Explanation, Model, Site, Stores } from './at-once.ts'

/** A session, by its digest. */
interface Kept {
  readonly revision: number
  readonly identity: string | null
  readonly device: string | null
  readonly used: number
  readonly expires: number
}

type Owner = Pick<Kept, 'identity' | 'device'>

type Call =
  | ({ readonly verb: 'create'; readonly place: number } & Owner)
  | ({
      readonly verb: 'save'
      readonly place: number
      readonly revision: number
      /** Whether it gets a new id, as it does when somebody signs in. */
      readonly isMoved: boolean
    } & Owner)
  | { readonly verb: 'touch'; readonly place: number; readonly late: number }
  | { readonly verb: 'destroy' | 'isLive'; readonly place: number; readonly identity: string }
  | { readonly verb: 'destroyOf'; readonly identity: string; readonly except: number | null }
  | { readonly verb: 'destroyDevice'; readonly identity: string; readonly device: string }
  | { readonly verb: 'sweep' }

const lifetime = 2

class SessionSite implements Site<Call, Kept> {
  readonly stores: Stores
  readonly scheduler: fc.Scheduler
  /** Every digest that calls can name. */
  readonly #digests: string[] = []
  /** Those that were made since: a new id is random, and nobody knows it before it is stored. */
  readonly #made: string[] = []

  constructor(stores: Stores, scheduler: fc.Scheduler) {
    this.stores = stores
    this.scheduler = scheduler
    for (let at = 0; at < 3; at += 1) this.#fresh()
    this.#digests.push(...this.#made.splice(0))
  }

  async stored(): Promise<Model<Kept>> {
    this.#digests.push(...this.#made.splice(0))
    const rows = await this.stores.database.rows(sql`SELECT * FROM sessions`)
    return new Map(
      rows.map(({ digest, revision, identity, device, used, expires }) => [
        String(digest),
        {
          revision: Number(revision),
          identity: textIn(identity),
          device: textIn(device),
          used: Number(used),
          expires: Number(expires),
        },
      ]),
    )
  }

  async make(call: Call, database: Database): Promise<Explanation<Kept>> {
    const { now } = this.stores.clock
    const sessions = new SqlSessions(database)
    const client = { agent: '', peer: '' }
    const row = { data: '{}', created: now, used: now, expires: now + lifetime, ...client }
    switch (call.verb) {
      case 'create': {
        const { place, identity, device } = call
        const digest = this.#at(place)
        const isNew = await sessions.create(digest, { ...row, identity, device })
        const kept = { revision: 1, identity, device, used: now, expires: now + lifetime }
        return (model) => {
          if (isNew === model.has(digest)) return null
          return isNew ? new Map(model).set(digest, kept) : model
        }
      }
      case 'save':
        return this.#save(sessions, now, call)
      case 'touch': {
        const digest = this.#at(call.place)
        const use = { used: now - call.late, expires: now - call.late + lifetime }
        await sessions.touch(digest, { ...use, ...client })
        return (model) => {
          const kept = model.get(digest)
          if (kept === undefined || kept.used >= use.used) return model
          return new Map(model).set(digest, { ...kept, ...use })
        }
      }
      case 'isLive': {
        const digest = this.#at(call.place)
        const isLive = await sessions.isLive(call.identity, digest)
        return (model) =>
          isLive === (model.get(digest)?.identity === call.identity) ? model : null
      }
      case 'destroy': {
        const digest = this.#at(call.place)
        const count = (await sessions.destroy(digest)) ? 1 : 0
        return dropping(count, (_, name) => name === digest)
      }
      case 'destroyOf': {
        const except = call.except === null ? null : this.#at(call.except)
        const count = await sessions.destroyOf(call.identity, except)
        return dropping(count, ({ identity }, name) => {
          return identity === call.identity && name !== except
        })
      }
      case 'destroyDevice': {
        const count = await sessions.destroyDevice(call.identity, call.device)
        return dropping(count, ({ identity, device }) => {
          return identity === call.identity && device === call.device
        })
      }
      case 'sweep':
        break
    }
    return dropping(await sessions.sweep(now), ({ expires }) => expires <= now)
  }

  async #save(
    sessions: SqlSessions,
    now: number,
    { place, revision, isMoved, identity, device }: Extract<Call, { verb: 'save' }>,
  ): Promise<Explanation<Kept>> {
    const digest = this.#at(place)
    const moved = isMoved ? this.#fresh() : digest
    const use = { used: now, expires: now + lifetime }
    const row = { data: '{}', created: now, agent: '', peer: '', ...use, identity, device }
    const isSaved = await sessions.save(digest, revision, row, moved)
    return (model) => {
      if (isSaved !== (model.get(digest)?.revision === revision)) return null
      if (!isSaved) return model
      const next = new Map(model)
      next.delete(digest)
      return next.set(moved, { revision: revision + 1, identity, device, ...use })
    }
  }

  /** Mostly one of the newest. */
  #at(place: number): string {
    return this.#digests.at(-1 - (place % this.#digests.length)) ?? ''
  }

  #fresh(): string {
    const count = this.#digests.length + this.#made.length
    const digest = count.toString(16).padStart(64, '0')
    this.#made.push(digest)
    return digest
  }
}

function textIn(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

const place = fc.nat(4)
const somebody = fc.constantFrom('7', '8')
const owner = {
  identity: fc.constantFrom(null, '7', '7', '8'),
  device: fc.constantFrom(null, 'laptop'),
}
const call: fc.Arbitrary<Call> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ verb: fc.constant('create'), place, ...owner }) },
  {
    weight: 4,
    arbitrary: fc.record({
      verb: fc.constant('save'),
      place,
      revision: fc.constantFrom(1, 1, 2, 3),
      isMoved: fc.boolean(),
      ...owner,
    }),
  },
  fc.record({ verb: fc.constant('touch'), place, late: fc.constantFrom(0, 1) }),
  fc.record({ verb: fc.constantFrom('destroy', 'isLive'), place, identity: somebody }),
  {
    weight: 2,
    arbitrary: fc.record({
      verb: fc.constant('destroyOf'),
      identity: somebody,
      except: fc.option(place),
    }),
  },
  fc.record({
    verb: fc.constant('destroyDevice'),
    identity: somebody,
    device: fc.constant('laptop'),
  }),
  fc.record({ verb: fc.constant('sweep') }),
)

onEveryDatabase((name, open) => {
  test('requests at once leave sessions as if they had come one after the other', async (t) => {
    const database = await open(t, 'pool=4')
    await database.transaction((transaction) => createSessionsTable(new Schema(transaction)))
    const openSite = async (scheduler: fc.Scheduler): Promise<SessionSite> => {
      await database.run(sql`DELETE FROM sessions`)
      return new SessionSite({ database, clock: { now: 1_700_000_000 } }, scheduler)
    }
    await assertExplained(call, openSite, name === Dialects.SQLite ? 250 : 30)
  })
})
