import { machineFacts } from '../method/machine-facts.ts'
import { isMissed } from '../method/targets.ts'
import { writeReport } from '../method/write-report.ts'
import { buildFramework } from '../setup/build-framework.ts'
import { parseOptions } from './options.ts'

/** Measures how logins are hashed, prints the report and writes it; resolves to the exit status. */
export async function runPasswords(args: string[]): Promise<number> {
  const options = parseOptions(args)
  await buildFramework()
  const facts = [
    ...machineFacts(),
    `Threads in the pool: ${process.env['UV_THREADPOOL_SIZE'] ?? 'as Node has it (4)'}`,
    `Rounds: ${options.rounds} after ${options.warmUpRounds} to warm up, of ${options.logins} logins each`,
  ]

  // Only now: they load what was just built.
  const { hashers } = await import('./hashers.ts')
  const { playRounds } = await import('./play-rounds.ts')
  const { reportOf } = await import('./report.ts')
  const { targetsOf } = await import('./targets.ts')
  const results = await playRounds(await hashers(), options)
  const report = reportOf(results, facts)
  console.log(report)
  if (options.rounds >= 6) await writeReport('passwords', report)
  return options.check && targetsOf(results).some(isMissed) ? 1 : 0
}
