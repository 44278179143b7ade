import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { freePort } from '../support/free-port.ts'
import { startOwnRedis } from '../support/redis-server.ts'

const found = await startOwnRedis().catch((error: Error) => error)
const child = join(import.meta.dirname, 'redis-exit-child.ts')

/** What a process with a connection prints before it ends by itself. */
async function printed(way: string, url: string): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [child, way, url], {
    timeout: 280_000,
  })
  return stdout
}

describe('a process of its own', { skip: found instanceof Error && found.message }, () => {
  after(() => (found instanceof Error ? undefined : found.stop()))

  test('a connection at rest does not keep a process alive, one that is waited for does', async () => {
    assert.equal(await printed('rest', found instanceof Error ? '' : found.url), 'answered\n')
  })

  test('a connection that is closed while there is no server lets the process end', async () => {
    const url = `redis://127.0.0.1:${await freePort()}`
    assert.equal(await printed('away', url), 'refused\nclosed\n')
  })
})
