import { machineFacts } from '../method/machine-facts.ts'
import { isMissed } from '../method/targets.ts'
import { writeReport } from '../method/write-report.ts'
import { buildFramework } from '../setup/build-framework.ts'
import { installPeers } from '../setup/install-peers.ts'
import { type Options, parseOptions } from './options.ts'

/** Measures error pages and failing requests, prints the report and writes it. */
export async function runErrors(args: string[]): Promise<number> {
  const options = parseOptions(args)
  await installPeers()
  await buildFramework()
  const facts = factsOf(options)

  // Only now: they load the peers and what was just built.
  const { playCold } = await import('./cold-contest.ts')
  const { playRequests } = await import('./request-contest.ts')
  const { playPages } = await import('./page-contest.ts')
  const results = {
    cold: await playCold(options.spawns),
    // Before the pages, which leave a process with garbage and code that production never sees.
    requests: await playRequests({ ...options, count: options.requests }),
    pages: await playPages({ ...options, count: options.pages }),
  }

  const { reportOf } = await import('./report.ts')
  const { targetsOf } = await import('./targets.ts')
  const report = reportOf(results, facts)
  console.log(report)
  if (options.rounds >= 6) await writeReport('errors', report)
  return options.check && targetsOf(results).some(isMissed) ? 1 : 0
}

function factsOf({ rounds, warmUpRounds, spawns, pages, requests }: Options): readonly string[] {
  return [
    ...machineFacts(),
    `Rounds: ${rounds} after ${warmUpRounds} to warm up, of ${pages} pages or ${requests} requests ` +
      `for each line; first pages: ${spawns}`,
  ]
}
