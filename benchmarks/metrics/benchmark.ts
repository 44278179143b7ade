import { mkdir, writeFile } from 'node:fs/promises'
import { availableParallelism, cpus, loadavg, totalmem } from 'node:os'
import { findPinning } from '../http/pinning.ts'
import { isMissed } from '../http/targets.ts'
import { buildFramework } from '../setup/build-framework.ts'
import { installPeers } from '../setup/install-peers.ts'
import { ContestantProcess } from './contestant-process.ts'
import { clients, Contests } from './contests.ts'
import { type Options, parseOptions } from './options.ts'
import { playContest, type Score } from './play-contest.ts'
import { reportOf } from './report.ts'
import type { Results } from './results.ts'
import { targetsOf } from './targets.ts'

/** Measures ours and the peers, prints the report and writes it; resolves to the exit status. */
export async function runMetrics(args: string[]): Promise<number> {
  const options = parseOptions(args)
  await installPeers()
  await buildFramework()
  const facts = factsOf(options)
  const results = await play(options)
  const report = reportOf(results, facts)
  console.log(report)
  if (options.rounds >= 6) await writeReport(report)
  return options.check && targetsOf(results).some(isMissed) ? 1 : 0
}

async function play(options: Options): Promise<Results> {
  const { server: pin } = await findPinning()
  const contestants: ContestantProcess[] = []
  const results = new Map<Contests, Score>()
  try {
    for (const client of ['ours', 'prom-client', 'prometheus-io', 'otel'] as const) {
      contestants.push(await ContestantProcess.start(client, pin))
    }
    for (const contest of Object.values(Contests)) {
      results.set(contest, await playContest(contest, contestants, options))
    }
  } finally {
    await Promise.all(contestants.map((contestant) => contestant.stop()))
  }
  return results
}

function factsOf({ rounds, burstMs }: Options): readonly string[] {
  return [
    `Date: ${new Date().toISOString().slice(0, 10)}`,
    `Node.js: ${process.version}`,
    `CPU: ${cpus()[0]?.model.trim() ?? 'unknown'}, ${availableParallelism()} cores; ` +
      `memory: ${Math.round(totalmem() / 2 ** 30)} GiB`,
    `Load average when the run began: ${loadavg()[0]?.toFixed(2)}`,
    `Rounds: ${rounds} of about ${burstMs} ms for each of ${Object.keys(clients).length} libraries`,
  ]
}

async function writeReport(report: string): Promise<void> {
  const folder = `${import.meta.dirname}/../results`
  await mkdir(folder, { recursive: true })
  await writeFile(`${folder}/metrics.md`, report)
  console.error('Written to benchmarks/results/metrics.md')
}
