import { join, resolve } from 'node:path'
import type { Environments } from '../../settings/environments.ts'
import { printable } from '../../base/encoding/printable.ts'
import { listSeeds, seed } from '../../migrations/seed.ts'
import { enterEnvironment } from '../enter-environment.ts'
import { ExitStatus } from '../../base/terminal/exit-status.ts'
import { withProjectDatabase } from '../project-database.ts'
import type { Terminal } from '../../base/terminal/terminal.ts'
import { textTable } from '../../base/terminal/text-table.ts'

/** Options of `framework seed`. */
export interface SeedFlags {
  readonly project: string
  readonly environment?: Environments
}

/** Runs the seeds of a project. */
export async function seedProject(flags: SeedFlags, terminal: Terminal): Promise<ExitStatus> {
  const root = resolve(flags.project)
  const folder = join(root, 'seeds')
  const source = enterEnvironment(root, flags.environment)
  // Before connecting: in the wrong folder, connecting would create a new SQLite file.
  await listSeeds(folder)
  return withProjectDatabase(root, source, async (database) => {
    const { environment } = source
    const { bold, green, yellow } = terminal.paint
    const skipped = new Map<string, string>()
    const done = await seed(database, folder, {
      environment,
      onSkip: (name, reason) => skipped.set(name, printable(`skipped: ${reason}`)),
    })
    const rows = [...done, ...skipped.keys()].toSorted().map((name) => {
      const reason = skipped.get(name)
      return [printable(name), reason === undefined ? green('done') : yellow(reason)]
    })
    if (rows.length === 0) terminal.out('there are no seeds\n')
    else terminal.out(textTable(['seed', 'state'], rows, bold))
    return ExitStatus.Ok
  })
}
