import assert from 'node:assert/strict'
import { isDeepStrictEqual } from 'node:util'
import * as fc from 'fast-check'
import type { Database } from '../../src/database/surface.ts'
import { around } from './token-stores.ts'

/** The expected contents of a store, by name. */
export type Model<Kept> = ReadonlyMap<string, Kept>

/** Applies one call to a model: the model afterwards, or null if the outcome is impossible then. */
export type Explanation<Kept> = (model: Model<Kept>) => Model<Kept> | null

/** The database of a store under test, and its time. */
export interface Stores {
  readonly database: Database
  readonly clock: { now: number }
}

/** A store under test. */
export interface Site<Call, Kept> {
  readonly stores: Stores
  readonly scheduler: fc.Scheduler
  /**
   * Makes a call on this surface and returns the explanation of its outcome. `start` is the state
   * before.
   */
  make(call: Call, database: Database, start: Model<Kept>): Promise<Explanation<Kept>>
  /** The stored state, as a model. */
  stored(): Promise<Model<Kept>>
}

interface Box<Kept> {
  model: Model<Kept>
}

/** Concurrent calls. The scheduler decides which statement of which call comes next. */
class AtOnce<Call, Kept> implements fc.AsyncCommand<Box<Kept>, Site<Call, Kept>> {
  readonly #calls: readonly Call[]

  constructor(calls: readonly Call[]) {
    this.#calls = calls
  }

  check = (): boolean => true

  async run(box: Box<Kept>, site: Site<Call, Kept>): Promise<void> {
    const { stores, scheduler } = site
    const database = around(stores.database, async (proceed) => {
      await scheduler.schedule(Promise.resolve())
      return proceed()
    })
    const made = this.#calls.map((call) => site.make(call, database, box.model))
    const explanations = await scheduler.waitFor(Promise.all(made))
    const stored = sorted(await site.stored())
    const isStored = (model: Model<Kept>): boolean => isDeepStrictEqual(sorted(model), stored)
    const next = explained(box.model, explanations, isStored)
    assert.ok(next, 'no order of the calls explains what they answered and what is stored')
    box.model = next
  }

  toString(): string {
    return JSON.stringify(this.#calls)
  }
}

/**
 * The model after some order that explains every outcome and the stored state; null if there is
 * none.
 */
function explained<Kept>(
  model: Model<Kept>,
  explanations: readonly Explanation<Kept>[],
  isStored: (model: Model<Kept>) => boolean,
): Model<Kept> | null {
  if (explanations.length === 0) return isStored(model) ? model : null
  for (const [at, explain] of explanations.entries()) {
    const next = explain(model)
    if (next === null) continue
    const found = explained(next, explanations.toSpliced(at, 1), isStored)
    if (found !== null) return found
  }
  return null
}

function sorted<Kept>(model: Model<Kept>): readonly (readonly [string, Kept])[] {
  return [...model].sort(([one], [other]) => (one < other ? -1 : 1))
}

/** Time that passes between calls. */
class Pass implements fc.AsyncCommand<object, { readonly stores: Stores }> {
  readonly #seconds: number

  constructor(seconds: number) {
    this.#seconds = seconds
  }

  check = (): boolean => true

  run(_: object, { stores }: { readonly stores: Stores }): Promise<void> {
    stores.clock.now += this.#seconds
    return Promise.resolve()
  }

  toString(): string {
    return `${this.#seconds} s pass`
  }
}

/** Runs calls, sequentially and concurrently, on new sites, and compares them with a model. */
export async function assertExplained<Call, Kept>(
  call: fc.Arbitrary<Call>,
  openSite: (scheduler: fc.Scheduler) => Promise<Site<Call, Kept>>,
  numRuns: number,
): Promise<void> {
  const atOnce = fc
    .array(call, { minLength: 1, maxLength: 4 })
    .map((calls) => new AtOnce<Call, Kept>(calls))
  const pass = fc.constantFrom(1, 2, 3600).map((seconds) => new Pass(seconds))
  const commands = fc.commands<Box<Kept>, Site<Call, Kept>, false>([atOnce, atOnce, atOnce, pass], {
    maxCommands: 12,
  })
  const property = fc.asyncProperty(commands, fc.scheduler(), async (steps, scheduler) => {
    const real = await openSite(scheduler)
    await fc.asyncModelRun(() => ({ model: { model: new Map() }, real }), steps)
  })
  await fc.assert(property, { numRuns })
}

/** A model without the dropped items, if their number matches the outcome. */
export function dropping<Kept>(
  count: number,
  isDropped: (kept: Kept, name: string) => boolean,
): Explanation<Kept> {
  return (model) => {
    const left = new Map([...model].filter(([name, kept]) => !isDropped(kept, name)))
    return model.size - left.size === count ? left : null
  }
}
