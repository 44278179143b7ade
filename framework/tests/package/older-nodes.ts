import { spawnSync } from 'node:child_process'
import { existsSync, realpathSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** A Node on this machine that is older than the framework requires. */
export interface OlderNode {
  readonly program: string
  readonly version: string
}

/** The older Nodes on the PATH; often there are none. */
export function olderNodes(): OlderNode[] {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  const programs = folders.map((folder) => join(folder, 'node')).filter((file) => existsSync(file))
  return [...new Set(programs.map((file) => realpathSync(file)))]
    .map((program) => ({ program, version: versionOf(program) }))
    .filter(({ version }) => Number.parseInt(version, 10) < 24)
}

function versionOf(program: string): string {
  const { stdout } = spawnSync(program, ['--print', 'process.versions.node'], { encoding: 'utf8' })
  return stdout.trim()
}
