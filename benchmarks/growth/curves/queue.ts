import { createJobsTable, SqlJobs } from '../../../framework/dist/public/queue.js'
import { sql } from '../../../framework/dist/public/database.js'
import { microsOf, Shapes } from '../curve.ts'
import type { Case, Curve } from '../curve.ts'
import type { Ground } from '../ground.ts'

/** A queue that nobody empties. */
export async function queueCurves(ground: Ground, sizes: readonly number[]): Promise<Curve[]> {
  const pushed = new Map<number, Case>()
  const taken = new Map<number, Case>()
  const counted = new Map<number, Case>()
  const listed = new Map<number, Case>()
  for (const size of sizes) {
    const now = Math.floor(Date.now() / 1_000)
    const database = await ground.database(
      createJobsTable,
      sql`INSERT INTO jobs (queue, state, due, attempts, payload, created_at)
        SELECT 'mail', 'waiting', ${now - 60}, 0, ${new Uint8Array(300)}, ${now - 60} FROM generate_series(1, ${size})`,
    )
    const jobs = new SqlJobs(database)
    const job = { payload: new Uint8Array(300), delay: 0, digest: null, remember: 0 }
    pushed.set(size, { measure: () => microsOf(() => jobs.add('other', job)) })
    taken.set(size, {
      // Each is put back, so that the queue keeps its length.
      measure: () =>
        microsOf(async () => {
          const [lease] = await jobs.claim('mail', 1, 60)
          if (lease === undefined) throw new Error('no job was claimed')
          await jobs.complete(lease)
          await jobs.add('mail', job)
        }),
    })
    counted.set(size, { measure: () => microsOf(() => jobs.counts('mail')) })
    listed.set(size, {
      measure: () => microsOf(() => jobs.list('mail', 'waiting', { offset: 0, limit: 20 })),
    })
  }
  const curve = { group: 'Jobs that wait in a queue', unit: 'µs' } as const
  return [
    { ...curve, name: 'adding one', shape: Shapes.Logarithmic, cases: pushed },
    { ...curve, name: 'taking, completing, adding one', shape: Shapes.Logarithmic, cases: taken },
    { ...curve, name: 'counting them', shape: Shapes.Linear, cases: counted },
    { ...curve, name: 'a page of the list', shape: Shapes.Logarithmic, cases: listed },
  ]
}
