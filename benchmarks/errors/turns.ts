import { setTimeout as sleep } from 'node:timers/promises'
import { shuffled } from '../method/shuffled.ts'

/** Somebody who does the same piece of work many times. */
export interface Entrant {
  readonly label: string
  /** Set-up of the burst, which is not measured. */
  prepare?(count: number): Promise<void>
  /** Does the work that often. */
  burst(count: number): Promise<void>
}

/** What one piece of work took, on average over a burst. */
export interface Sample {
  readonly wallMicros: number
  /** User and system time of all threads of the process. */
  readonly cpuMicros: number
}

/** What an entrant needed, round by round. */
export interface Series {
  readonly label: string
  readonly samples: readonly Sample[]
}

/** How long entrants take turns. */
export interface Turns {
  readonly rounds: number
  readonly warmUpRounds: number
  /** Pieces of work in one burst. */
  readonly count: number
}

/**
 * Lets the entrants take turns in this process, one burst each, in an order that is shuffled each
 * round. A change in the machine's load affects all of them equally.
 */
export async function takeTurns(
  title: string,
  entrants: readonly Entrant[],
  { rounds, warmUpRounds, count }: Turns,
): Promise<readonly Series[]> {
  const series = entrants.map((entrant) => ({ entrant, samples: Array.of<Sample>() }))
  for (let round = 1 - warmUpRounds; round <= rounds; round += 1) {
    console.error(`${title}: ${round < 1 ? 'warm-up' : `round ${round} of ${rounds}`}`)
    for (const { entrant, samples } of shuffled(series)) {
      const sample = await measure(entrant, count)
      if (round >= 1) samples.push(sample)
    }
  }
  return series.map(({ entrant, samples }) => ({ label: entrant.label, samples }))
}

async function measure(entrant: Entrant, count: number): Promise<Sample> {
  await entrant.prepare?.(count)
  // Whatever the preparation left behind, the garbage above all, gets a moment to settle.
  await sleep(20)
  const cpu = process.cpuUsage()
  const began = performance.now()
  await entrant.burst(count)
  const wallMicros = ((performance.now() - began) * 1000) / count
  const { user, system } = process.cpuUsage(cpu)
  return { wallMicros, cpuMicros: (user + system) / count }
}
