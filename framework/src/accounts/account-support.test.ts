import assert from 'node:assert/strict'
import { test } from 'node:test'
import { activeSessions } from './account-support.ts'

const at = { agent: 'Firefox', peer: '203.0.113.9' }
const device = { ...at, handle: 'd1', created: 10, used: 20, expires: 900 }

test('a trusted device is listed once, with the last use of its sessions', () => {
  const sessions = [
    { ...at, device: 'd1', created: 15, used: 40, peer: '198.51.100.4' },
    { ...at, device: 'd1', created: 12, used: 30 },
  ]
  assert.deepEqual(activeSessions(sessions, [device]), [
    { agent: 'Firefox', peer: '198.51.100.4', created: 10, used: 40, remembered: true },
  ])
})

test('sessions without a live device are places of their own, and the last used comes first', () => {
  const sessions = [
    { ...at, device: null, created: 50, used: 60 },
    { ...at, device: 'gone', created: 5, used: 15 },
  ]
  assert.deepEqual(
    activeSessions(sessions, [device]).map(({ used, remembered }) => [used, remembered]),
    [
      [60, false],
      [20, true],
      [15, false],
    ],
  )
})
