import type { Options } from './options.ts'
import type { Load } from '../method/load.ts'
import { machineFacts } from '../method/machine-facts.ts'
import type { Pinning } from '../method/pinning.ts'

/** Where and how a run was made, as lines of the report. Read it before the run starts. */
export function runFacts(options: Options, load: Load, pinning: Pinning): readonly string[] {
  const { rounds, connections, burstSeconds, warmUpRounds, spawns } = options
  return [
    ...machineFacts(),
    `Load: ${load.description}, ${connections} connections, no pipelining; ${pinning.description}`,
    `Rounds: ${rounds} of ${burstSeconds} s for each server after ${warmUpRounds} to warm up; ` +
      `start-ups: ${spawns}`,
    ...(rounds < 6 ? [tooFew] : []),
  ]
}

const tooFew =
  'Too few rounds to conclude from: the figures show that everything works, no more, and the ' +
  'intervals are the whole range.'
