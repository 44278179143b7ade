import { loadavg } from 'node:os'
import { findLoad } from '../method/load.ts'
import { machineFacts } from '../method/machine-facts.ts'
import { findPinning, moveToCore } from '../method/pinning.ts'
import { isMissed } from '../method/targets.ts'
import { writeReport } from '../method/write-report.ts'
import { buildFramework } from '../setup/build-framework.ts'
import { buildNest } from '../setup/build-nest.ts'
import { buildServers } from '../setup/build-servers.ts'
import { installPeers } from '../setup/install-peers.ts'
import { applicationSize } from './application-size.ts'
import { HalfLoad } from './half-load.ts'
import { measureStartUps } from './measure-start-up.ts'
import { type Options, parseOptions } from './options.ts'
import { playTask, roundsOfLife, type Scores } from './play-task.ts'
import { reportOf } from './report.ts'
import type { Results } from './results.ts'
import { serveByHand } from './serve.ts'
import { SignInLoad } from './sign-in-load.ts'
import { openStage } from './stage.ts'
import { targetsOf } from './targets.ts'
import { tasks } from './tasks.ts'

/** Measures ours and the peers, prints the report and writes it; resolves to the exit status. */
export async function runProduct(args: string[]): Promise<number> {
  const options = parseOptions(args)
  await installPeers()
  await buildFramework()
  const folder = await buildServers('product')
  await buildNest(folder)
  if (options.serve !== null) return serveByHand(options.serve, options, folder)
  const facts = [...machineFacts(), ...factsOf(options)]
  const results = await play(options, folder, facts)
  facts.push(`Load average when the run ended: ${loadavg()[0]?.toFixed(2)}`)

  const report = reportOf(results, facts)
  console.log(report)
  const isWhole = options.isWhole && results.scores.size === tasks.length
  if (isWhole && options.rounds >= 6) await writeReport('product', report)
  return options.check && targetsOf(results).some(isMissed) ? 1 : 0
}

async function play(options: Options, folder: string, facts: string[]): Promise<Results> {
  const { entrants, rounds, quick } = options
  const pinning = await findPinning()
  const load = await findLoad(pinning.load)
  facts.push(`Load: ${load.description}; ${pinning.description}`)
  const sizes = new Map<string, Awaited<ReturnType<typeof applicationSize>>>()
  for (const entrant of entrants) sizes.set(entrant.label, await applicationSize(entrant))

  const startUpStage = await openStage()
  const [list] = tasks
  const startUps =
    list === undefined
      ? new Map<string, number[]>()
      : await measureStartUps(entrants, list, startUpStage, { folder, spawns: quick ? 3 : 10 })
  await startUpStage.close()

  // The servers of databases are started from here, and so stay on this core.
  if (await moveToCore(1)) facts.push('Databases: on the core of the load')
  const stage = await openStage()
  const signIns = await SignInLoad.start(pinning.load)
  const halfLoad = await HalfLoad.start(pinning.load)
  const scores = new Map<string, Scores>()
  try {
    const pin = pinning.server
    const ground = { stage, folder, pin, load, signIns, halfLoad, rounds, quick }
    for (const task of options.tasks) {
      const able = entrants.filter(({ lacks = [] }) => !lacks.includes(task.name))
      // Two hours should not be lost for one of them: the report then says what is missing.
      const played = await playTask(task, { ...ground, entrants: able }).catch(String)
      if (typeof played !== 'string') scores.set(task.name, played)
      else facts.push(`NOT measured, ${task.name}: ${played.split('\n').join(' ')}`)
    }
  } finally {
    await signIns.stop()
    await halfLoad.stop()
    await stage.close()
  }
  return { scores, startUps, sizes }
}

function factsOf({ rounds }: Options): readonly string[] {
  return [
    `Rounds: ${rounds}, each with one burst for each server; every ${roundsOfLife} rounds in new processes`,
    ...(rounds < 6 ? ['Too few rounds to conclude from: they show that everything works'] : []),
  ]
}
