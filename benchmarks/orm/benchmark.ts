import { loadavg } from 'node:os'
import { machineFacts } from '../method/machine-facts.ts'
import { findPinning, moveToCore, type Pin } from '../method/pinning.ts'
import { isMissed } from '../method/targets.ts'
import { writeReport } from '../method/write-report.ts'
import { buildFramework } from '../setup/build-framework.ts'
import { installPeers } from '../setup/install-peers.ts'
import { writePrismaClient } from './clients/prisma-client.ts'
import { type Clients, databases, type Databases, suites, type Suites } from './contests.ts'
import { entrantsOf } from './libraries.ts'
import { type Options, parseOptions } from './options.ts'
import type { Scores } from './play-rounds.ts'
import { playStage, roundsOfLife } from './play-stage.ts'
import { reportOf } from './report.ts'
import type { Results } from './results.ts'
import { openStage } from './stages/open-stage.ts'
import { targetsOf } from './targets.ts'

/** Measures ours and the peers on each database, prints the report and writes it. */
export async function runOrm(args: string[]): Promise<number> {
  const options = parseOptions(args)
  await installPeers()
  await buildFramework()
  const facts = [...machineFacts()]
  const { server: pin } = await findPinning()
  // The servers of the databases are started from here, and so stay on this core.
  if (await moveToCore(1)) facts.push('Cores: libraries on core 0, databases on core 1 (taskset)')

  const absent: Clients[] = []
  const prisma = await attempt(writePrismaClient)
  if (typeof prisma === 'string') {
    absent.push('prisma')
    facts.push(`Prisma: ${prisma}`)
  }
  let isMissing = false
  for (const suite of options.suites) {
    const results = await playSuite(suite, absent, options, pin)
    const report = reportOf(results, [
      ...facts,
      ...results.facts,
      `Load average when the run ended: ${loadavg()[0]?.toFixed(2)}`,
    ])
    console.log(report)
    const isWhole =
      results.scores.size === Object.keys(databases).length &&
      options.contests[suite].length === suites[suite].length &&
      options.rounds >= 6
    if (isWhole) await writeReport(reportNames[suite], report)
    isMissing ||= targetsOf(results).some(isMissed)
  }
  return options.check && isMissing ? 1 : 0
}

const reportNames: Readonly<Record<Suites, string>> = { pages: 'orm', blog: 'orm-blog' }

async function playSuite(
  suite: Suites,
  absent: readonly Clients[],
  given: Options,
  pin: Pin,
): Promise<Results & { readonly facts: readonly string[] }> {
  const options = suite === 'blog' ? ofBlog(given) : given
  const facts = [...factsOf(options, suite)]
  const scores = new Map<Databases, Scores>()
  for (const database of options.databases) {
    const stage = await attempt(() => openStage(database, options.rows))
    facts.push(typeof stage === 'string' ? `${databases[database]}: ${stage}` : stage.description)
    if (typeof stage === 'string') continue
    const clients = entrantsOf(suite, database).filter((client) => !absent.includes(client))
    try {
      scores.set(database, await playStage(suite, stage, clients, options, pin))
    } finally {
      await stage.close()
    }
  }
  return { suite, scores, facts }
}

// It needs no more posts than have comments, and has more contests to warm up for.
function ofBlog(options: Options): Options {
  return { ...options, rows: 50_000, warmUpMs: Math.min(options.warmUpMs, 400) }
}

/** The result, or the first line of the error: missing databases are left out. */
async function attempt<Result>(work: () => Promise<Result>): Promise<Result | string> {
  try {
    return await work()
  } catch (error) {
    const [line = ''] = String(error instanceof Error ? error.message : error).split('\n')
    return `not measured, ${line}`
  }
}

function factsOf({ rounds, rows, burstMs, warmUpMs }: Options, suite: Suites): readonly string[] {
  return [
    suite === 'pages'
      ? `Rows: ${rows.toLocaleString('en')}; a page has 20`
      : `Rows: ${rows.toLocaleString('en')} posts, 100,000 comments, 50 authors, 1,000 counters`,
    `Rounds: ${rounds} of about ${burstMs} ms for each library in each contest; every ` +
      `${roundsOfLife} rounds in new processes, after ${warmUpMs / 1_000} s to warm up`,
  ]
}
