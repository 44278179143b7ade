import assert from 'node:assert/strict'
import { test } from 'node:test'

import { Channel } from './channel.ts'
import type { ChannelOptions } from './channel.ts'
import { LogContext } from './log-context.ts'
import type { Sink } from './sink.ts'

class MemorySink implements Sink {
  readonly dropped = 0
  readonly lines: string[] = []
  readonly calls: string[] = []

  write(line: string): void {
    this.lines.push(line)
  }
  async flush(): Promise<void> {
    this.calls.push('flush')
  }
  flushSync(): void {
    this.calls.push('flushSync')
  }
  async close(): Promise<void> {
    this.calls.push('close')
  }

  get text(): string {
    return this.lines.join('')
  }
  get last(): unknown {
    return JSON.parse(this.lines.at(-1) ?? '')
  }
}

function channel(options: Partial<ChannelOptions> = {}): { log: Channel; sink: MemorySink } {
  const sink = new MemorySink()
  const log = new Channel('app', { sinks: [sink], clock: () => 1_700_000_000.25, ...options })
  return { log, sink }
}

test('a line has exactly this shape', () => {
  const { log, sink } = channel()
  log.info('Ready "now"\n', { port: 8087 })
  assert.equal(
    sink.text,
    '{"timestamp":1700000000.25,"level":"INFO","channel":"app","message":"Ready \\"now\\"\\n",' +
      '"context":{"port":8087},"extra":{}}\n',
  )
})

test('each method writes its level, and without a clock the time is now', () => {
  const sink = new MemorySink()
  const log = new Channel('app', { sinks: [sink], level: 'debug' })
  const before = Date.now() / 1_000
  log.debug('m')
  log.info('m')
  log.warn('m')
  log.error('m')
  log.fatal('m')
  const entries: unknown[] = sink.lines.map((line) => JSON.parse(line))
  assert.deepEqual(
    entries.map((entry) => Reflect.get(Object(entry), 'level')),
    ['DEBUG', 'INFO', 'WARN', 'ERROR', 'FATAL'],
  )
  const time: unknown = Reflect.get(Object(entries[0]), 'timestamp')
  assert.ok(typeof time === 'number' && time >= before && time <= Date.now() / 1_000)
})

test('lines below the level are not written, and the level can be changed', () => {
  const { log, sink } = channel()
  assert.equal(log.level, 'info')
  log.debug('unseen')
  log.level = 'error'
  log.warn('unseen')
  log.error('seen')
  log.level = 'silent'
  log.fatal('unseen')
  assert.equal(sink.lines.length, 1)
  assert.match(sink.text, /"message":"seen"/)
})

test('the context of a line below the level is not even looked at', () => {
  let looked = 0
  const context = {
    get costly() {
      return ++looked
    },
  }
  const { log } = channel()
  log.debug('unseen', context)
  assert.equal(looked, 0)
  log.info('seen', context)
  assert.equal(looked, 1)
})

test('a level from configuration that does not exist is refused', () => {
  const { log } = channel()
  assert.throws(() => Reflect.set(log, 'level', 'loud'), { code: 'E_LOG_LEVEL' })
})

test('secrets in context, extra and messages are never written', () => {
  const { log, sink } = channel()
  const secret = 'pl4nted'
  LogContext.run({ request: 'r1', token: secret }, () => {
    log.child({ apiKey: secret }).info(`via https://user:${secret}@host/?token=${secret}`, {
      password: secret,
      user: { name: 'ada', accessToken: secret },
      headers: { Authorization: `Bearer ${secret}`, cookie: secret },
      error: new Error('no', { cause: { secret } }),
    })
  })
  assert.equal(sink.text.includes(secret), false)
  assert.match(sink.text, /"name":"ada"/)
  assert.match(sink.text, /"request":"r1"/)
})

test('the request id and the fields of a child are in extra', () => {
  const { log, sink } = channel()
  const child = log.child({ worker: 3 }).child({ job: 'mail' })
  LogContext.run({ request: 'abc' }, () => child.info('m'))
  assert.deepEqual(Reflect.get(Object(sink.last), 'extra'), {
    worker: 3,
    job: 'mail',
    request: 'abc',
  })
  log.info('m')
  assert.deepEqual(Reflect.get(Object(sink.last), 'extra'), {})
})

test('context that JSON cannot hold does not throw', () => {
  const { log, sink } = channel()
  const loop: Record<string, unknown> = { big: 1n }
  loop['loop'] = loop
  log.info('m', loop)
  assert.deepEqual(Reflect.get(Object(sink.last), 'context'), { big: '1', loop: '[circular]' })
})

test('a sink that throws does not reach the caller or the other sinks', (t) => {
  const sink = new MemorySink()
  const broken = new MemorySink()
  t.mock.method(broken, 'write', () => {
    throw new Error('no')
  })
  const told: string[] = []
  const log = new Channel('app', {
    sinks: [broken, sink],
    report: (text: string) => told.push(text),
  })
  log.info('one')
  log.info('two')
  assert.equal(sink.lines.length, 2)
  assert.equal(told.length, 1)
})

test('a fatal line is flushed before the call returns, others are not', () => {
  const { log, sink } = channel()
  log.error('m')
  assert.deepEqual(sink.calls, [])
  log.fatal('m')
  assert.deepEqual(sink.calls, ['flushSync'])
})

test('close closes own sinks, and only flushes those of a parent or a registry', async () => {
  const { log, sink } = channel()
  await log.child({ a: 1 }).close()
  assert.deepEqual(sink.calls, ['flush'])
  await log.close()
  assert.deepEqual(sink.calls, ['flush', 'close'])
  const shared = channel({ shared: true })
  await shared.log.close()
  assert.deepEqual(shared.sink.calls, ['flush'])
})

test('finished JSON is written unchanged, with the same head, time and level', () => {
  let time = 1_700_000_000
  const { log, sink } = channel({ clock: () => time })
  const both = (level: 'info' | 'error'): void => {
    log[level]('a "b"', { c: 1 })
    log.writeJson(level, '"message":"a \\"b\\"","context":{"c":1},"extra":{}}')
  }
  both('info')
  both('error')
  time += 0.125
  both('info')
  assert.equal(sink.lines.length, 6)
  for (const at of [0, 2, 4]) assert.equal(sink.lines[at + 1], sink.lines[at])
  assert.match(sink.text, /"timestamp":1700000000.125,"level":"INFO"/)
})

test('finished JSON obeys the level, and a sink that throws does not reach the caller', () => {
  const { log, sink } = channel({ level: 'warn' })
  log.writeJson('info', '"message":"no"}')
  assert.deepEqual([log.isEnabled('info'), log.isEnabled('warn')], [false, true])
  assert.deepEqual(sink.lines, [])
  const broken = new MemorySink()
  broken.write = () => {
    throw new Error('full')
  }
  const texts: string[] = []
  const report = (text: string): void => void texts.push(text)
  const shared = new Channel('app', { sinks: [broken, sink], report })
  shared.writeJson('info', '"message":"yes"}')
  assert.equal(sink.lines.length, 1)
  assert.equal(texts.length, 1)
})
