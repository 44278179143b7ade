import { execFile } from 'node:child_process'
import { existsSync, realpathSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/**
 * Runs npm in `folder` with this Node and returns its output.
 * @throws when npm fails; the error contains its output.
 */
export async function npm(folder: string, ...parameters: string[]): Promise<string> {
  // npm sets variables for the scripts it starts, which must not leak into this one.
  const kept = Object.entries(process.env).filter(([name]) => !/^(npm_|NODE_TEST_)/.test(name))
  const path = [dirname(process.execPath), process.env['PATH']].join(delimiter)
  const { stdout } = await run(process.execPath, [npmProgram(), ...parameters], {
    cwd: folder,
    env: { ...Object.fromEntries(kept), PATH: path, npm_config_update_notifier: 'false' },
    timeout: 300_000,
  })
  return stdout
}

/** The path of npm, to be run by Node. */
export function npmProgram(): string {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  const found = folders.map((folder) => join(folder, 'npm')).find((file) => existsSync(file))
  const program = process.env['npm_execpath'] ?? found
  if (program === undefined) throw new Error('npm is not on the PATH: the package cannot be packed')
  return realpathSync(program)
}
