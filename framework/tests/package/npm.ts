import { execFile } from 'node:child_process'
import { existsSync, realpathSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/**
 * Runs npm in `folder` under this Node, and answers what it printed.
 * @throws when npm fails; the error holds its output.
 */
export async function npm(folder: string, ...parameters: string[]): Promise<string> {
  // npm tells the scripts it starts where they belong; the one below belongs to `folder`.
  const kept = Object.entries(process.env).filter(([name]) => !/^(npm_|NODE_TEST_)/.test(name))
  const path = [dirname(process.execPath), process.env['PATH']].join(delimiter)
  const { stdout } = await run(process.execPath, [npmProgram(), ...parameters], {
    cwd: folder,
    env: { ...Object.fromEntries(kept), PATH: path, npm_config_update_notifier: 'false' },
    timeout: 300_000,
  })
  return stdout
}

/** The program of npm, for Node. */
export function npmProgram(): string {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  const found = folders.map((folder) => join(folder, 'npm')).find((file) => existsSync(file))
  const program = process.env['npm_execpath'] ?? found
  if (program === undefined) throw new Error('npm is not on the PATH: the package cannot be packed')
  return realpathSync(program)
}
