import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { startOwnPostgres } from '../support/postgres-server.ts'

const found = await startOwnPostgres().catch((error: Error) => error)
const missing = found instanceof Error && found.message
const child = join(import.meta.dirname, 'database-exit-child.ts')

/** The output of a process that uses its own database and ends by itself. */
async function printed(options: string, env: Record<string, string> = {}): Promise<string> {
  if (found instanceof Error) throw found
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--conditions=source', child, (await found.createDatabase()) + options],
    { timeout: 280_000, env: { ...process.env, ...env } },
  )
  return stdout
}

describe('a process of its own', { skip: missing }, () => {
  after(() => (found instanceof Error ? undefined : found.stop()))

  test('idle connections do not keep a process alive', async () => {
    assert.equal(await printed(''), '[{"a":1},{"a":2}]\n')
  })

  test('with tls=on only a certificate that the process trusts is accepted', async () => {
    const certificate = found instanceof Error ? '' : found.certificate
    const trusting = { NODE_EXTRA_CA_CERTS: certificate }
    assert.equal(await printed('?tls=on', trusting), '[{"a":1},{"a":2}]\n')
    await assert.rejects(printed('?tls=on'), /its certificate is not trusted/)
  })

  test('environment variables of the driver change nothing', async () => {
    const env = {
      PGHOST: 'nowhere',
      PGPASSWORD: 'x',
      PGSSLMODE: 'require',
      PGSSLNEGOTIATION: 'direct',
      PGOPTIONS: '-c a',
    }
    assert.equal(await printed('', env), '[{"a":1},{"a":2}]\n')
  })
})
