import { setTimeout as sleep } from 'node:timers/promises'
import { connect } from '../../src/database/connect.ts'
import { sql } from '../../src/database/sql/plan/statement.ts'
import { waitFor } from '../support/wait-for.ts'
import type { Cleanup } from '../support/cleanup.ts'
import { watchCounters } from './counters.ts'
import { disturb, disturbances } from './disturbances.ts'
import { History } from './history.ts'
import type { Rest } from './history.ts'
import { Person } from './people.ts'
import { descriptorsOf, memoryOf, SoakSite } from './soak-site.ts'
import type { SiteChoices } from './soak-site.ts'

/** Options of `runSoak`. */
export interface SoakOptions extends SiteChoices {
  readonly seconds: number
  /** How often people must have done what; on a busy machine that takes longer. @default anything */
  readonly atLeast?: Readonly<Record<string, number>>
  /** What happens to the site. @default everything that can */
  readonly kinds?: readonly string[]
}

const people = 5
/** Descriptors of a worker that nobody asks: those of its stores, and some to spare. */
const maxDescriptors = 80
const maxMegabytes = 700

/** Lets people use a site while it is disturbed, and compares what they were told with what is left. */
export async function runSoak(cleanup: Cleanup, options: SoakOptions): Promise<History> {
  const { seconds, atLeast = {}, kinds = Object.keys(disturbances) } = options
  const history = new History()
  const site = await SoakSite.open(cleanup, options)
  await site.start()
  const crowd = Array.from({ length: people }, (_, at) => new Person(site.url, `p${at}`, history))
  for (const person of crowd) await person.register()

  const over = new AbortController()
  const ends: Promise<unknown>[] = crowd.map((person) => person.live(over.signal))
  ends.push(watchCounters(site.url, history, over.signal))
  if (kinds.length > 0) ends.push(disturb(site, history, { kinds, signal: over.signal }))
  const ended = Promise.all(ends)
  // What fails ends the run at once, and with it the programs.
  await Promise.race([sleep(seconds * 1_000), ended])
  const isEnough = (): boolean =>
    Object.entries(atLeast).every(([what, times]) => (history.counts[what] ?? 0) >= times)
  await waitFor('enough of everything', isEnough, 600)
  over.abort()
  await ended

  await site.healthy()
  history.judge(await atRest(site))
  await judgeProcesses(site, history)
  if (/uncaught|unhandled/i.test(site.log))
    history.wrong('an error nobody caught', site.log.slice(-500))
  await site.stop()
  return history
}

/** What is stored when no job is left. */
async function atRest(site: SoakSite): Promise<Rest> {
  const database = await connect(site.databaseUrl)
  try {
    const jobs = async (): Promise<number> => {
      const [row] = await database.rows(
        sql`SELECT count(*) AS jobs FROM jobs WHERE state IN ('waiting', 'dead')`,
      )
      return Number(row?.['jobs'])
    }
    await waitFor('the end of all jobs', async () => (await jobs()) === 0, 90).catch(() => {})
    const deposits = await database.rows(
      sql`SELECT d.op AS op, u.email AS email FROM deposits d JOIN users u ON u.id = d.user_id`,
    )
    const receipts = await database.rows(sql`SELECT op, job, at_ms FROM receipts`)
    const ticks = await database.rows(sql`SELECT due FROM ticks`)
    return {
      deposits: deposits.map(({ op, email }) => ({ op: String(op), person: String(email) })),
      receipts: receipts.map(({ op, job, at_ms: at }) => ({
        op: String(op),
        job: String(job),
        at: Number(at),
      })),
      mails: site.mail.server.received.flatMap(({ raw, at }) => {
        const [, op] = /^Subject: Deposit (\S+)/m.exec(String(raw)) ?? []
        return op === undefined ? [] : [{ op, at }]
      }),
      ticks: ticks.map(({ due }) => String(due)),
      jobs: await jobs(),
    }
  } finally {
    await database.close()
  }
}

/** Nobody asks any more: what is open now stays open. */
async function judgeProcesses(site: SoakSite, history: History): Promise<void> {
  const pids = [site.leader, ...site.workers, ...site.queueWorkers]
  const judged = pids.map(async (pid) => {
    const isCalm = (): boolean => (descriptorsOf(pid) ?? 0) <= maxDescriptors
    await waitFor('few descriptors', isCalm, 20).catch(() => {
      history.wrong('descriptors stay open', `${descriptorsOf(pid)} in one process`)
    })
    const megabytes = Math.round(memoryOf(pid) ?? 0)
    history.counts['most MB of a process'] = Math.max(
      history.counts['most MB of a process'] ?? 0,
      megabytes,
    )
    if (megabytes > maxMegabytes) history.wrong('memory stays taken', `${megabytes} MB`)
  })
  await Promise.all(judged)
}
