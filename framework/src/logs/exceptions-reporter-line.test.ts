import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Origins } from '../errors/stack/frames.ts'
import type { Frame } from '../errors/stack/frames.ts'
import type { Incident } from '../incidents/incident.ts'
import { exceptionLine, maxExceptionLine } from './exceptions-reporter.ts'

function frame(name: string, origin: Origins): Frame {
  return { call: name, file: `/shop/${name}.ts`, line: 3, column: 5, origin }
}

function incident(changes: Partial<Incident> & Partial<Incident['chain'][number]> = {}): Incident {
  const { class: name = 'Error', message = 'no', properties = [], frames = [] } = changes
  return {
    at: 5,
    chain: [{ relation: 'thrown', class: name, message, properties, frames }],
    code: null,
    context: {},
    activity: null,
    span: null,
    step: null,
    ...changes,
  }
}

function written(one: Incident, extra = {}): { bytes: number; context: Record<string, unknown> } {
  const head = '{"timestamp":1700000000.123,"level":"ERROR","channel":"exceptions",'
  const text = `${head}${exceptionLine(one, extra, '/shop')}\n`
  return { bytes: Buffer.byteLength(text), context: JSON.parse(text).context }
}

test('own frames come first, and paths are relative to the project', () => {
  const frames = [
    frame('node_modules/pg/query', Origins.Vendor),
    frame('orders', Origins.Application),
    { ...frame('fs', Origins.Node), file: 'node:fs' },
    { ...frame('', Origins.Application), file: '/shop/main.ts' },
  ]
  assert.deepEqual(written(incident({ frames })).context['stack'], [
    'orders (orders.ts:3:5)',
    'main.ts:3:5',
    'node_modules/pg/query (node_modules/pg/query.ts:3:5)',
    'fs (node:fs:3:5)',
  ])
})

test('a secret in a frame or a caller is redacted', () => {
  const secret = { ...frame('', Origins.Vendor), call: 'get redis://a:hunter2@cache/0' }
  const step = { kind: 'mail', name: 'smtp', text: '', durationMs: 1, caller: secret } as const
  const { context } = written(
    incident({
      frames: [secret],
      step: { ...step, caller: { ...secret, file: '/?token=hunter2' } },
    }),
  )
  assert.doesNotMatch(JSON.stringify(context), /hunter2/)
  assert.equal(context['statement'], 'mail smtp')
})

const long = 'x'.repeat(100)
const manyFrames = Array.from({ length: 32 }, (_, at) =>
  frame(`${long}${at}`, at % 2 === 0 ? Origins.Application : Origins.Vendor),
)
const properties = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ name: `property${at}`, preview: `'${long}'` }))
const cause = {
  relation: 'cause',
  class: 'Cause',
  message: long.repeat(4),
  properties: [],
} as const
const causes = Array.from({ length: 4 }, () => ({ ...cause, frames: manyFrames }))

test('what is too much is left out: foreign frames first, then properties, then causes', () => {
  const thrown = { relation: 'thrown', class: 'Error', message: 'no', frames: manyFrames } as const
  const full = (count: number, others: number) =>
    written(
      incident({
        chain: [{ ...thrown, properties: properties(count) }, ...causes.slice(0, others)],
      }),
    )
  const parts = (one: Record<string, unknown>) => {
    const { stack, causes: told, properties: listed } = one
    assert.ok(Array.isArray(stack) && Array.isArray(told) && typeof listed === 'object')
    const foreign = stack.slice(12).length
    return {
      own: stack.length - foreign,
      foreign,
      causes: told.length,
      properties: Object.keys(listed ?? {}).length,
    }
  }
  assert.deepEqual(parts(full(0, 0).context), { own: 12, foreign: 16, causes: 0, properties: 0 })
  const some = parts(full(25, 0).context)
  assert.equal(some.properties, 25)
  assert.ok(some.foreign > 0 && some.foreign < 16, `foreign: ${some.foreign}`)
  const more = parts(full(30, 3).context)
  assert.deepEqual([more.own, more.foreign, more.causes], [12, 0, 3])
  assert.ok(more.properties < 30)
  const most = parts(full(30, 4).context)
  assert.ok(most.causes >= 1 && most.own === 12)
})

test('a line never exceeds 8 KB and is always JSON', () => {
  const odd = ['x', '\u0000', 'é', '😀', '"', '\ud83d', '\n']
  for (const sign of odd) {
    const text = sign.repeat(9_000)
    const many = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`key${at}`, text]))
    const wide = { call: text, file: `/${text}`, line: 3, column: 5, origin: Origins.Application }
    const { bytes } = written(
      incident({
        chain: Array.from({ length: 5 }, () => ({
          relation: 'thrown',
          class: text,
          message: text,
          properties: [{ name: text, preview: text }],
          frames: Array.from({ length: 32 }, () => wide),
        })),
        code: text,
        context: { interface: 'WPI', URI: text, ...many, deep: many },
        activity: { kind: 'request', id: 'r1', title: `GET ${text}`, account: text },
        span: { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16) },
        step: { kind: 'sql', name: 'SELECT', text, durationMs: 1 / 3, caller: wide },
      }),
      many,
    )
    assert.ok(bytes <= maxExceptionLine, `${JSON.stringify(sign)}: ${bytes}`)
  }
})
