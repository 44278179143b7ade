import { loadavg } from 'node:os'
import { findLoad } from '../method/load.ts'
import { machineFacts } from '../method/machine-facts.ts'
import { findPinning } from '../method/pinning.ts'
import { isMissed } from '../method/targets.ts'
import { writeReport } from '../method/write-report.ts'
import { buildFramework } from '../setup/build-framework.ts'
import { installPeers } from '../setup/install-peers.ts'
import { type Contest, contests, type Entrant } from './contests.ts'
import { type Options, parseOptions } from './options.ts'
import { playContest, type Scores } from './play-contest.ts'
import { reportOf } from './report.ts'
import { openStage } from './stage.ts'
import { targetsOf } from './targets.ts'
import { buildUntraced } from './untraced-build.ts'

/** Measures ours and the peers, prints the report and writes it; resolves to the exit status. */
export async function runObservability(args: string[]): Promise<number> {
  const options = parseOptions(args)
  const chosen = chooseContests(options)
  await installPeers()
  await buildFramework()
  const pinning = await findPinning()
  const load = await findLoad(pinning.load)
  const facts = [
    ...machineFacts(),
    ...factsOf(options),
    `Load: ${load.description}, ${options.connections} connections, no pipelining; ${pinning.description}`,
    'Sink: on the core of the load',
  ]

  const scores = new Map<string, Scores>()
  const removeUntraced = await buildUntraced()
  const stage = await openStage(pinning.load)
  try {
    const ground = { stage, pin: pinning.server, load, options }
    for (const contest of chosen) scores.set(contest.name, await playContest(contest, ground))
  } finally {
    await stage.close()
    await removeUntraced()
  }
  facts.push(`Load average when the run ended: ${loadavg()[0]?.toFixed(2)}`)

  const report = reportOf(chosen, scores, facts)
  console.log(report)
  const isWhole = [...options.contests, ...options.only].length === 0 && options.rounds >= 6
  if (isWhole) await writeReport('observability', report)
  return options.check && targetsOf(scores).some(isMissed) ? 1 : 0
}

function chooseContests({ contests: names, only }: Options): readonly Contest[] {
  const known = contests.map(({ name }) => name)
  const unknown = names.filter((name) => !known.includes(name))
  if (unknown.length > 0) {
    throw new Error(`--contests takes ${known.join(', ')}; got ${unknown.join(', ')}`)
  }
  const isChosen = ({ label }: Entrant): boolean =>
    only.length === 0 || only.some((part) => label.includes(part))
  const chosen = contests.filter(({ name }) => names.length === 0 || names.includes(name))
  return chosen.map(({ name, title, note, entrants }) => {
    return { name, title, note, entrants: entrants.filter(isChosen) }
  })
}

function factsOf(options: Options): readonly string[] {
  const { rounds, peerRounds, burstSeconds, warmUpRequests, warmUpSeconds } = options
  return [
    `Rounds: ${rounds}, with the peers in ${peerRounds}; in each a new process of every server, measured for ${burstSeconds} s after ${warmUpRequests} requests, and at least ${warmUpSeconds} s, to warm up`,
    ...(rounds < 6 ? ['Too few rounds to conclude from: they show that everything works'] : []),
  ]
}
