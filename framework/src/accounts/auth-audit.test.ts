import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Throwables } from '../errors/throwables/throwables.ts'
import { Emitter } from '../events/emitter.ts'
import type { Level } from '../logs/level.ts'
import { Logs } from '../logs/logs.ts'
import type { Sink } from '../logs/sink.ts'
import { Observability } from '../metrics/observability.ts'
import { AuthAudit } from './auth-audit.ts'
import { AuthEvents } from './auth-events.ts'
import type { AuthEventPayload } from './auth-events.ts'

const labels = [
  'registered',
  'verified',
  'login',
  'failed',
  'logout',
  'revived',
  'theft',
  'reset',
  'changed',
  'new_device',
  'confirmed',
  'factor_added',
  'factor_removed',
  'identity_linked',
  'identity_unlinked',
  'password_removed',
  'ended',
  'factor_asked',
  'suspended',
  'restored',
  'recovery_used',
  'codes_renewed',
  'passkey_copied',
  'token_created',
  'token_revoked',
  'email_requested',
  'email_changed',
  'email_restored',
  'deletion_requested',
  'deletion_cancelled',
  'deleted',
  'export_requested',
  'export_ready',
  'export_downloaded',
]

const payload: AuthEventPayload = {
  user: '7',
  peer: '203.0.113.9',
  request: 'r1',
  at: 1_700_000_000,
}

interface Desk {
  readonly logs: Logs
  readonly emitter: Emitter
  readonly registry: Observability
  readonly lines: string[]
}

function desk(level: Level = 'info'): Desk {
  const lines: string[] = []
  const sink: Sink = {
    dropped: 0,
    write: (line) => void lines.push(line),
    flush: () => Promise.resolve(),
    flushSync: () => {},
    close: () => Promise.resolve(),
  }
  const logs = new Logs({ sinks: [sink], level, clock: () => 1_700_000_000.5 })
  const failed = (throwable: unknown): never => assert.fail(String(throwable))
  return { logs, lines, emitter: new Emitter(failed), registry: new Observability(false) }
}

function valuesOf(registry: Observability, name: string): Readonly<Record<string, number>> {
  const metric = registry.gather().metrics[name]
  if (metric === undefined || metric.type === 'histogram') return {}
  return Object.fromEntries(
    metric.series.map(({ labels: { event = '' }, value }) => [event, value]),
  )
}

test('an event is one JSON line on the channel auth: event, account, peer, request and time', () => {
  const { logs, emitter, lines } = desk()
  const audit = new AuthAudit({ logs, emitter, observability: null })
  emitter.emit(AuthEvents.Login, payload)
  assert.equal(
    lines.join(''),
    '{"timestamp":1700000000.5,"level":"INFO","channel":"auth","message":"signed in",' +
      '"context":{"event":"login","user":"7","peer":"203.0.113.9","request":"r1","at":1700000000},' +
      '"extra":{}}\n',
  )
  audit.close()
})

test('each event has its line and its count, a theft counts twice', () => {
  const { logs, emitter, registry, lines } = desk()
  const audit = new AuthAudit({ logs, emitter, observability: registry })
  for (const event of Object.values(AuthEvents)) emitter.emit(event, payload)
  emitter.emit(AuthEvents.Failed, { ...payload, user: null })
  const events = lines.map((line) => String(JSON.parse(line).context.event))
  assert.deepEqual(events, [...labels, 'failed'])
  const counts = Object.fromEntries(labels.map((label) => [label, label === 'failed' ? 2 : 1]))
  assert.deepEqual(valuesOf(registry, 'auth_events_total'), counts)
  assert.deepEqual(valuesOf(registry, 'auth_theft_total'), { '': 1 })
  audit.close()
})

test('every series is there at 0 before anything has happened', () => {
  const { logs, emitter, registry } = desk()
  const audit = new AuthAudit({ logs, emitter, observability: registry })
  const zeros = Object.fromEntries(labels.map((label) => [label, 0]))
  assert.deepEqual(valuesOf(registry, 'auth_events_total'), zeros)
  assert.deepEqual(valuesOf(registry, 'auth_theft_total'), { '': 0 })
  audit.close()
})

test('the registry of the process counts, also when it is set after the audit was made', () => {
  const reporters = [...Throwables.reporters]
  const { logs, emitter, registry } = desk()
  const audit = new AuthAudit({ logs, emitter })
  try {
    emitter.emit(AuthEvents.Login, payload)
    Observability.Instance = registry
    assert.equal(valuesOf(registry, 'auth_events_total')['login'], 0)
    emitter.emit(AuthEvents.Login, payload)
    assert.equal(valuesOf(registry, 'auth_events_total')['login'], 1)
  } finally {
    Observability.Instance = null
    Throwables.reporters.splice(0, Infinity, ...reporters)
    audit.close()
  }
})

test('two audits of one registry share its counters', () => {
  const { logs, emitter, registry } = desk()
  const audits = [0, 1].map(() => {
    const { emitter: own } = desk()
    return { own, audit: new AuthAudit({ logs, emitter: own, observability: registry }) }
  })
  for (const { own } of audits) own.emit(AuthEvents.Logout, payload)
  assert.equal(valuesOf(registry, 'auth_events_total')['logout'], 2)
  assert.equal([...registry.metrics].length, 2)
  assert.equal(emitter.hasListeners(AuthEvents.Logout), false)
  for (const { audit } of audits) audit.close()
})

test('refused sign-ins, thefts and lost factors and identities are warnings: LOG_LEVEL=warn keeps them and leaves the rest', () => {
  const { logs, emitter, registry, lines } = desk('warn')
  const audit = new AuthAudit({ logs, emitter, observability: registry })
  for (const event of Object.values(AuthEvents)) emitter.emit(event, payload)
  const kept = lines.map((line) => JSON.parse(line))
  assert.deepEqual(
    kept.map(({ level, context }) => [level, context.event]),
    [
      ['WARN', 'failed'],
      ['WARN', 'theft'],
      ['WARN', 'factor_removed'],
      ['WARN', 'identity_unlinked'],
      ['WARN', 'password_removed'],
      ['WARN', 'suspended'],
      ['WARN', 'recovery_used'],
      ['WARN', 'passkey_copied'],
      ['WARN', 'email_restored'],
    ],
  )
  assert.equal(valuesOf(registry, 'auth_events_total')['login'], 1)
  audit.close()
})

test('other fields of a payload are not logged, nor an e-mail in place of the account id', () => {
  const { logs, emitter, lines } = desk()
  const audit = new AuthAudit({ logs, emitter, observability: null })
  const careless = {
    ...payload,
    user: 'ada@example.org',
    email: 'ada@example.org',
    note: 'hunter2',
  }
  emitter.emit(AuthEvents.Failed, careless)
  const { context } = JSON.parse(lines.join(''))
  assert.deepEqual(Object.keys(context), ['event', 'user', 'peer', 'request', 'at'])
  assert.equal(context.user, null)
  assert.doesNotMatch(lines.join(''), /ada|hunter2/)
  const uuid = '0198c0de-0000-7000-8000-000000000001'
  emitter.emit(AuthEvents.Login, { ...payload, user: uuid })
  assert.equal(JSON.parse(lines[1] ?? '').context.user, uuid)
  audit.close()
})

test('once closed it receives no events', () => {
  const { logs, emitter, registry, lines } = desk()
  const audit = new AuthAudit({ logs, emitter, observability: registry })
  audit.close()
  audit.close()
  for (const event of Object.values(AuthEvents)) {
    assert.equal(emitter.hasListeners(event), false)
    emitter.emit(event, payload)
  }
  assert.deepEqual(lines, [])
  assert.equal(valuesOf(registry, 'auth_events_total')['login'], 0)
})
