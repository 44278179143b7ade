import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { freePort } from '../support/free-port.ts'
import { startOwnRedis } from '../support/redis-server.ts'

const found = await startOwnRedis().catch((error: Error) => error)
const child = join(import.meta.dirname, 'redis-exit-child.ts')

/** The output of a process with a connection that ends by itself. */
async function printed(way: string, url: string): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [child, way, url], {
    timeout: 280_000,
  })
  return stdout
}

describe('a process of its own', { skip: found instanceof Error && found.message }, () => {
  after(() => (found instanceof Error ? undefined : found.stop()))

  test('an idle connection does not keep a process alive, a pending command does', async () => {
    assert.equal(await printed('rest', found instanceof Error ? '' : found.url), 'answered\n')
  })

  test('closing a connection while the server is down lets the process end', async () => {
    const url = `redis://127.0.0.1:${await freePort()}`
    assert.equal(await printed('away', url), 'refused\nclosed\n')
  })
})
