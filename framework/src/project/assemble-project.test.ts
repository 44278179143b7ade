import assert from 'node:assert/strict'
import { test } from 'node:test'
import { plantProject } from '../../tests/support/plant-project.ts'
import { SecurityEvents } from '../http/request/security-events.ts'
import { Emitter } from '../events/emitter.ts'
import { assembleProject } from './assemble-project.ts'
import { defineProject } from './project.ts'

for (const [lines, listeners] of [
  ['10', 1],
  ['0', 0],
] as const) {
  test(`with SECURITY_LOG_LINES=${lines} a project has ${listeners} security log until it is closed`, async (t) => {
    const root = plantProject(t, {})
    const project = defineProject({ name: 'shop', routes: [] })
    const channel = Emitter.Instance.channel(SecurityEvents.LimitExceeded)
    const before = channel.listeners.length
    const env = { LOG_LEVEL: 'silent', SECURITY_LOG_LINES: lines }
    const { server } = await assembleProject({ root, project, env })
    assert.equal(channel.listeners.length, before + listeners)
    await server.close()
    assert.equal(channel.listeners.length, before)
  })
}
