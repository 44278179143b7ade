import { randomBytes } from 'node:crypto'
import { RunningCommand } from '../support/command.ts'
import { freePort } from '../support/free-port.ts'
import { plantDemo } from '../support/plant-demo.ts'
import type { Cleanup } from './cleanup.ts'

/** The demo as in production, except for its address. */
export interface ScannedSite {
  readonly url: string
  readonly folder: string
  readonly command: RunningCommand
}

/**
 * Serves a copy of the demo in production with two workers on SQLite. Loopback is a trusted proxy, so
 * that a relay can give each request its own address.
 */
export async function serveScannedSite(cleanup: Cleanup): Promise<ScannedSite> {
  const folder = plantDemo(cleanup)
  const port = String(await freePort())
  const env = {
    APP_KEY: randomBytes(32).toString('hex'),
    APP_URL: `http://127.0.0.1:${port}`,
    PORT: port,
    TRUSTED_PROXIES: '127.0.0.1',
    WORKERS: '2',
    LOG_FILE: '1',
  }
  const options = { cwd: folder, env }
  for (const step of ['migrate', 'seed']) {
    const prepared = new RunningCommand(cleanup, [step], options)
    if ((await prepared.end()) !== 0) throw new Error(prepared.stderr)
  }
  const command = new RunningCommand(cleanup, ['serve'], options)
  cleanup.after(() => command.stop())
  return { url: await command.url(), folder, command }
}
