import { spawn } from 'node:child_process'
import { once } from 'node:events'

/**
 * Runs npm in a folder and shows what it prints.
 * @throws Error when npm ends with another status than 0.
 */
export async function runNpm(args: readonly string[], folder: string): Promise<void> {
  console.error(`npm ${args.join(' ')}`)
  // npm's own output goes to stderr: stdout carries the results only
  const npm = spawn('npm', args, { cwd: folder, stdio: ['ignore', 2, 2] })
  const [code] = await once(npm, 'exit')
  if (code !== 0) throw new Error(`npm ${args.join(' ')} ended with status ${code}, expected 0`)
}
