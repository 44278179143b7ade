import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { readScopes } from '../../app/config/scope.ts'
import { serverScope } from '../../app/config/server-scope.ts'
import { openLogs } from './project-logs.ts'

test('the security log is a file even without LOG_FILE', async (t) => {
  const root = mkdtempSync(join(tmpdir(), 'project-logs-'))
  t.after(() => rmSync(root, { recursive: true }))
  const source = { environment: 'production', lookup: () => null } as const
  const { server } = readScopes({ server: serverScope }, source)
  const logs = openLogs(root, server, [])
  for (const channel of ['security', 'auth']) logs.channel(channel).warn('seen')
  await logs.close()
  const folder = join(root, 'storage', 'logs')
  assert.deepEqual(readdirSync(folder), ['security.log'])
  assert.match(readFileSync(join(folder, 'security.log'), 'utf8'), /"message":"seen"/)
})
