import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { startOwnMariadb } from '../support/mariadb-server.ts'

const server = await startOwnMariadb().catch((error: Error) => error)
const skip = server instanceof Error && server.message
const child = join(import.meta.dirname, 'database-exit-child.ts')

describe('connections at rest do not keep a process alive', { skip }, () => {
  after(() => (server instanceof Error ? undefined : server.stop()))

  for (const tls of ['off', 'unverified']) {
    test(`with tls=${tls}`, async () => {
      if (server instanceof Error) throw server
      const { stdout } = await promisify(execFile)(
        process.execPath,
        ['--conditions=source', child, `${await server.createDatabase()}?tls=${tls}`],
        { timeout: 280_000 },
      )
      assert.equal(stdout, '[{"a":1},{"a":2}]\n')
    })
  }
})
