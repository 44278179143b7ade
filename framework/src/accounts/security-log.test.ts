import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Emitter } from '../events/emitter.ts'
import { Logs } from '../logs/logs.ts'
import type { Sink } from '../logs/sink.ts'
import { Observability } from '../metrics/observability.ts'
import { AuthEvents } from './auth-events.ts'
import { SecurityEvents, emitSecurityEvent } from '../http/request/security-events.ts'
import { SecurityKinds, securityKinds, SecurityLog } from './security-log.ts'
import type { SecurityLogOptions } from './security-log.ts'

const request = {
  id: 'r1',
  peer: '203.0.113.9',
  method: 'POST',
  route: '/devices/:id/revoke',
  identity: { id: '7' },
}
const payload = {
  user: null,
  peer: '203.0.113.9',
  route: 'POST /login',
  request: 'r1',
  at: 1_700_000_000,
}

interface Desk {
  readonly emitter: Emitter
  readonly registry: Observability
  readonly log: SecurityLog
  /** Level, message and context of each line. */
  readonly lines: () => {
    level: string
    message: string
    context: Readonly<Record<string, unknown>>
  }[]
}

function desk(options: Partial<SecurityLogOptions> = {}): Desk {
  const texts: string[] = []
  const sink: Sink = {
    dropped: 0,
    write: (line) => void texts.push(line),
    flush: () => Promise.resolve(),
    flushSync: () => {},
    close: () => Promise.resolve(),
  }
  const logs = new Logs({ sinks: [sink] })
  const emitter = new Emitter((throwable) => assert.fail(String(throwable)))
  const registry = new Observability(false)
  const log = new SecurityLog({ logs, emitter, observability: registry, ...options })
  return { emitter, registry, log, lines: () => texts.map((text) => JSON.parse(text)) }
}

function counts(registry: Observability): Readonly<Record<string, number>> {
  const metric = registry.gather().metrics['security_events_total']
  if (metric === undefined || metric.type === 'histogram') return {}
  return Object.fromEntries(metric.series.map(({ labels, value }) => [labels['kind'], value]))
}

test('a line has kind, network, route, account, request and time, and no address', (t) => {
  t.mock.timers.enable({ apis: ['Date', 'setTimeout'], now: 1_700_000_000_000 })
  const { emitter, log, lines } = desk()
  emitSecurityEvent(SecurityEvents.ForeignId, request, emitter)
  const [line] = lines()
  assert.deepEqual([line?.level, line?.message], ['WARN', 'an unknown or foreign id was refused'])
  assert.deepEqual(line?.context, {
    kind: 'foreign_id',
    network: '203.0.113.0/24',
    route: 'POST /devices/:id/revoke',
    user: '7',
    account: null,
    request: 'r1',
    at: 1_700_000_000,
  })
  log.close()
})

test('every kind has a line and a count, which starts at 0', () => {
  const { emitter, registry, log, lines } = desk()
  const kinds = Object.values(SecurityKinds)
  assert.deepEqual(counts(registry), Object.fromEntries(kinds.map((kind) => [kind, 0])))
  for (const kind of kinds) emitter.emit(securityKinds[kind].event, payload)
  assert.deepEqual(
    lines().map(({ context }) => context['kind']),
    kinds,
  )
  assert.deepEqual(counts(registry), Object.fromEntries(kinds.map((kind) => [kind, 1])))
  log.close()
})

test('a refused sign-in has the digest of its e-mail, and an e-mail is never written', () => {
  const { emitter, log, lines } = desk()
  emitter.emit(AuthEvents.Failed, { ...payload, account: 'ab12' })
  emitter.emit(AuthEvents.Failed, { ...payload, user: 'ada@a.example', account: 'ada@a.example' })
  assert.deepEqual(
    lines().map(({ context }) => [context['user'], context['account']]),
    [
      [null, 'ab12'],
      [null, null],
    ],
  )
  log.close()
})

test('a refused sign-in can say why, in a word', () => {
  const { emitter, log, lines } = desk()
  emitter.emit(AuthEvents.Failed, { ...payload, reason: 'failed-nonce' })
  emitter.emit(AuthEvents.Failed, { ...payload, reason: 'code=4711 of ada@a.example' })
  assert.deepEqual(
    lines().map(({ context }) => context['reason']),
    ['failed-nonce', undefined],
  )
  log.close()
})

test('after ten lines a minute of a kind and network, the rest is one line with their number', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { emitter, registry, log, lines } = desk()
  const flood = (times: number): void => {
    for (let at = 0; at < times; at += 1) emitter.emit(SecurityEvents.LimitExceeded, payload)
  }
  flood(1000)
  emitter.emit(SecurityEvents.LimitExceeded, { ...payload, peer: '198.51.100.1' })
  assert.equal(lines().length, 11)
  t.mock.timers.tick(60_000)
  assert.equal(lines().length, 12)
  const { message, context } = lines()[11] ?? assert.fail()
  assert.equal(message, '990 more: a rate limit was exceeded')
  assert.deepEqual(context, { kind: 'limit', network: '203.0.113.0/24', count: 990, seconds: 60 })
  flood(12)
  assert.equal(lines().length, 22, 'a new minute has its own lines')
  assert.equal(counts(registry)['limit'], 1013, 'every event is counted')
  log.close()
  assert.equal(lines().length, 23, 'closing writes the number at once')
  t.mock.timers.tick(60_000)
  assert.equal(lines().length, 23)
})

test('a flood of networks writes a bounded number of lines', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { emitter, log, lines } = desk({ lines: 2, networks: 5 })
  for (let at = 0; at < 20_000; at += 1) {
    const peer = `10.${at >> 8}.${at & 255}.1`
    emitter.emit(SecurityEvents.OriginRefused, { ...payload, peer })
  }
  t.mock.timers.tick(60_000)
  assert.equal(lines().length, 5 + 2 + 1)
  assert.equal(lines().at(-1)?.context['count'], 20_000 - 5 - 2)
  log.close()
})

test('without a log nothing listens, and an event is not even built', () => {
  const emitter = new Emitter()
  const read = (): never => assert.fail('the request was read')
  const untouched = {
    get id(): string {
      return read()
    },
    get peer(): string {
      return read()
    },
    method: 'GET',
    route: null,
    identity: null,
  }
  emitSecurityEvent(SecurityEvents.LimitExceeded, untouched, emitter)
  const { emitter: listened, log } = desk()
  assert.ok(listened.hasListeners(SecurityEvents.LimitExceeded))
  log.close()
  assert.ok(!listened.hasListeners(SecurityEvents.LimitExceeded))
})
