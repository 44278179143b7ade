import { availableParallelism, cpus, loadavg, totalmem } from 'node:os'
import type { Load } from './load.ts'
import type { Options } from './options.ts'
import type { Pinning } from './pinning.ts'

/** Where and how a run was made, as lines of the report. Read it before the run starts. */
export function runFacts(options: Options, load: Load, pinning: Pinning): readonly string[] {
  const { rounds, connections, burstSeconds, warmUpRounds, spawns } = options
  return [
    `Date: ${new Date().toISOString().slice(0, 10)}`,
    `Node.js: ${process.version}`,
    `CPU: ${cpus()[0]?.model.trim() ?? 'unknown'}, ${availableParallelism()} cores; ` +
      `memory: ${Math.round(totalmem() / 2 ** 30)} GiB`,
    `Load average when the run began: ${loadavg()[0]?.toFixed(2)}`,
    `Load: ${load.description}, ${connections} connections, no pipelining; ${pinning.description}`,
    `Rounds: ${rounds} of ${burstSeconds} s for each server after ${warmUpRounds} to warm up; ` +
      `start-ups: ${spawns}`,
    ...(rounds < 6 ? [tooFew] : []),
  ]
}

const tooFew =
  'Too few rounds to conclude from: the figures show that everything works, no more, and the ' +
  'intervals are the whole range.'
