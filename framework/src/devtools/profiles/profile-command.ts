import { existsSync, rmSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ConfigurationError } from '../../base/errors.ts'
import { ExitStatus } from '../../base/terminal/terminal.ts'
import type { Terminal } from '../../base/terminal/terminal.ts'
import { textTable } from '../../base/terminal/text-table.ts'
import { readProfile } from './profile-report.ts'
import { profileFolder, profilePath, wantProfile } from './take-profile.ts'

const lookMs = 100
/** For a worker to claim it, and to write it beyond its time. */
const claimMs = 8_000
const writeMs = 20_000
const maxCalls = 15

/**
 * Takes a CPU profile of a worker that serves the project, and prints the functions that took longest.
 * @throws ConfigurationError E_PROFILE if nobody serves it, or it belongs to another user.
 */
export async function profileCommand(
  { root, seconds }: { readonly root: string; readonly seconds: number },
  terminal: Terminal,
): Promise<ExitStatus> {
  refuseStranger(root)
  const { id } = wantProfile(root, seconds)
  const paths = {
    wanted: profilePath(root, id, 'wanted'),
    running: profilePath(root, id, 'running'),
    done: profilePath(root, id, 'cpuprofile'),
  }
  try {
    if (!(await within(claimMs, () => !existsSync(paths.wanted)))) {
      throw failure(
        'no server of the project is running on this machine, or all of its workers are busy with profiles',
      )
    }
    terminal.err(`profiling a worker for ${seconds} s\n`)
    await within(seconds * 1_000 + writeMs, () => !existsSync(paths.running))
    if (!existsSync(paths.done)) throw failure('the worker ended before its profile was written')
  } finally {
    rmSync(paths.wanted, { force: true })
  }
  const { busy, root: tree, calls } = readProfile(root, id)
  const percent = (part: number): string => `${(part * 100).toFixed(1)} %`
  const rows = calls
    .slice(0, maxCalls)
    .map(({ self, total, name, place, isOwn }) => [
      percent(self / tree.total),
      percent(total / tree.total),
      isOwn ? terminal.paint.bold(name) : name,
      place,
    ])
  if (rows.length > 0)
    terminal.out(textTable(['own', 'total', 'function', 'place'], rows, terminal))
  terminal.out(`busy for ${percent(busy)} of ${seconds} s; ${paths.done}\n`)
  return ExitStatus.Ok
}

// Only whoever owns what the project stores may look into its processes, not somebody in the same group.
function refuseStranger(root: string): void {
  const folder = statSync(profileFolder(root), { throwIfNoEntry: false })
  if (folder === undefined) throw failure(`nobody has served the project in ${root} yet`)
  const user = process.getuid?.()
  if (user === undefined || user === folder.uid) return
  throw failure(
    `${dirname(profileFolder(root))} belongs to another user; run it as the one who serves the project`,
  )
}

function failure(message: string): ConfigurationError {
  return new ConfigurationError('E_PROFILE', message)
}

async function within(ms: number, isDone: () => boolean): Promise<boolean> {
  const endMs = performance.now() + ms
  while (!isDone()) {
    if (performance.now() > endMs) return false
    await sleep(lookMs)
  }
  return true
}
