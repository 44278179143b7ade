import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { plantProject } from '../../../tests/support/plant-project.ts'
import { Recorder } from '../../services/inspector/recorder.ts'
import { recordPath } from '../../services/inspector/record-file.ts'
import { assembleProject } from './assemble-project.ts'
import { defineProject } from './project.ts'

const env = { LOG_LEVEL: 'silent' }
const project = defineProject({ name: 'shop', routes: [] })

test('in development a project has the inspector, which records while it serves', async (t) => {
  const root = plantProject(t, {})
  const { server } = await assembleProject({
    root,
    project,
    env: { ...env, PORT: '0' },
    environment: 'development',
  })
  t.after(() => server.close())
  assert.equal(Recorder.Instance, null)
  const { port } = await server.listen({ signals: false })
  assert.notEqual(Recorder.Instance, null)
  assert.equal((await fetch(`http://127.0.0.1:${port}/nothing`)).status, 404)
  const answer = await fetch(`http://127.0.0.1:${port}/inspect`)
  assert.equal(answer.status, 200)
  await server.close()
  assert.equal(Recorder.Instance, null)
  assert.ok(existsSync(recordPath(root)))
})

for (const environment of ['production', 'staging', 'test'] as const) {
  test(`in ${environment} there is no inspector, and nothing is recorded`, async (t) => {
    const root = plantProject(t, {})
    const { server } = await assembleProject({
      root,
      project,
      env: { ...env, PORT: '0', DEBUG_REMOTE: 'on' },
      environment,
    })
    t.after(() => server.close())
    const { port } = await server.listen({ signals: false })
    assert.equal((await fetch(`http://127.0.0.1:${port}/inspect`)).status, 404)
    assert.equal(Recorder.Instance, null)
    await server.close()
    assert.equal(existsSync(join(root, 'storage', 'inspector.sqlite')), false)
  })
}
