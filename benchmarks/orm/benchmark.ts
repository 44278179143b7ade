import { loadavg } from 'node:os'
import { machineFacts } from '../method/machine-facts.ts'
import { findPinning, moveToCore, type Pin } from '../method/pinning.ts'
import { isMissed } from '../method/targets.ts'
import { writeReport } from '../method/write-report.ts'
import { buildFramework } from '../setup/build-framework.ts'
import { installPeers } from '../setup/install-peers.ts'
import { writePrismaClient } from './clients/prisma-client.ts'
import { type Clients, databases, type Databases } from './contests.ts'
import { entrantsOf } from './libraries.ts'
import { type Options, parseOptions } from './options.ts'
import type { Scores } from './play-rounds.ts'
import { playStage, roundsOfLife } from './play-stage.ts'
import { reportOf } from './report.ts'
import { openStage } from './stages/open-stage.ts'
import type { Stage } from './stages/stage.ts'
import { targetsOf } from './targets.ts'

/** Measures ours and the peers on each database, prints the report and writes it. */
export async function runOrm(args: string[]): Promise<number> {
  const options = parseOptions(args)
  await installPeers()
  await buildFramework()
  const facts = [...machineFacts(), ...factsOf(options)]
  const { server: pin } = await findPinning()
  // The servers of the databases are started from here, and so stay on this core.
  if (await moveToCore(1)) facts.push('Cores: libraries on core 0, databases on core 1 (taskset)')

  const scores = new Map<Databases, Scores>()
  const absent: Clients[] = []
  const prisma = await attempt(writePrismaClient)
  if (typeof prisma === 'string') {
    absent.push('prisma')
    facts.push(`Prisma: ${prisma}`)
  }
  for (const database of options.databases) {
    const stage = await attempt(() => openStage(database, options.rows))
    facts.push(typeof stage === 'string' ? `${databases[database]}: ${stage}` : stage.description)
    if (typeof stage !== 'string') scores.set(database, await play(stage, absent, options, pin))
  }
  facts.push(`Load average when the run ended: ${loadavg()[0]?.toFixed(2)}`)

  const report = reportOf({ scores }, facts)
  console.log(report)
  const isWhole = scores.size === Object.keys(databases).length && options.rounds >= 6
  if (isWhole) await writeReport('orm', report)
  return options.check && targetsOf({ scores }).some(isMissed) ? 1 : 0
}

async function play(
  stage: Stage,
  absent: readonly Clients[],
  options: Options,
  pin: Pin,
): Promise<Scores> {
  const clients = entrantsOf(stage.database).filter((client) => !absent.includes(client))
  try {
    return await playStage(stage, clients, options, pin)
  } finally {
    await stage.close()
  }
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

function factsOf({ rounds, rows, burstMs, warmUpMs }: Options): readonly string[] {
  return [
    `Rows: ${rows.toLocaleString('en')}; a page has 20`,
    `Rounds: ${rounds} of about ${burstMs} ms for each library in each contest; every ` +
      `${roundsOfLife} rounds in new processes, after ${warmUpMs / 1_000} s to warm up`,
  ]
}
