import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request as send } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { answer, startCollector } from '../support/fake-collector.ts'
import type { FakeCollector } from '../support/fake-collector.ts'
import { tracedProject } from '../support/traced-project.ts'

// The cases of the W3C's test suite for Trace Context: a service gets a request and calls back. The
// suite looks at the headers of the calls.

const traceId = '12345678901234567890123456789012'
const parentId = '1234567890123456'
const parent = `00-${traceId}-${parentId}-00`

type Headers = readonly (readonly [name: string, value: string])[]

/** What a call back must have. */
interface Case {
  readonly title: string
  readonly sent: Headers
  /** Whether the trace goes on; otherwise it must have a new id. */
  readonly continues: boolean
  /** The expected `tracestate`. @default none */
  readonly state?: string
  /** Flags that must be set or not. */
  readonly flags?: string
}

function parents(title: string, continues: boolean, ...values: readonly string[]): Case[] {
  return values.map((value) => ({ title, sent: [['traceparent', value]], continues }))
}

function states(title: string, state: string, ...sent: readonly string[]): Case {
  const headers = sent.map((value) => ['tracestate', value] as const)
  return { title, sent: [['traceparent', parent], ...headers], continues: true, state }
}

function numbered(from: number, to: number): string {
  const members = Array.from({ length: to - from + 1 }, (_, at) => {
    const number = String(from + at).padStart(2, '0')
    return `bar${number}=${number}`
  })
  return members.join(',')
}

const rest = `${traceId}-${parentId}-01`
const future = 'what-the-future-will-be-like'
const keyCharacters = `abcdefghijklmnopqrstuvwxyz0123456789_-*/`
const valueCharacters = Array.from({ length: 0x7e - 0x20 + 1 }, (_, at) =>
  String.fromCharCode(0x20 + at),
)
  .filter((character) => character !== ',' && character !== '=')
  .join('')
  // A value ends with something other than a space, and begins here with one.
  .concat('!')

const cases: readonly Case[] = [
  { title: 'without headers a trace begins', sent: [], continues: false },
  ...parents('a trace goes on', true, `00-${rest}`),
  {
    title: 'two parents are none',
    sent: [
      ['traceparent', `00-${traceId.replace(/2$/, '1')}-${parentId}-01`],
      ['traceparent', `00-${rest}`],
    ],
    continues: false,
  },
  { title: 'another name', sent: [['trace-parent', `00-${rest}`]], continues: false },
  { title: 'another name', sent: [['trace.parent', `00-${rest}`]], continues: false },
  { title: 'letter case of the name', sent: [['TraceParent', `00-${rest}`]], continues: true },
  { title: 'letter case of the name', sent: [['TrAcEpArEnT', `00-${rest}`]], continues: true },
  { title: 'letter case of the name', sent: [['TRACEPARENT', `00-${rest}`]], continues: true },
  ...parents('version 00 has no more fields', false, `00-${rest}.`, `00-${rest}-${future}`),
  ...parents('a later version', true, `cc-${rest}`, `cc-${rest}-${future}`, `cc-${rest}-`),
  ...parents('a later version, not separated', false, `cc-${rest}.${future}`),
  ...parents('version ff', false, `ff-${rest}`),
  ...parents('invalid versions', false, `.0-${rest}`, `0.-${rest}`, `000-${rest}`, `0000-${rest}`),
  ...parents('invalid versions', false, `0-${rest}`, `-${rest}`, `CC-${rest}`),
  ...parents('trace id of zeros', false, `00-${'0'.repeat(32)}-${parentId}-01`),
  ...parents(
    'invalid trace ids',
    false,
    `00-.2345678901234567890123456789012-${parentId}-01`,
    `00-1234567890123456789012345678901.-${parentId}-01`,
    `00-${traceId}3-${parentId}-01`,
    `00-${traceId.slice(1)}-${parentId}-01`,
    `00-ABCDEF78901234567890123456789012-${parentId}-01`,
  ),
  ...parents('parent id of zeros', false, `00-${traceId}-${'0'.repeat(16)}-01`),
  ...parents(
    'invalid parent ids',
    false,
    `00-${traceId}-.234567890123456-01`,
    `00-${traceId}-123456789012345.-01`,
    `00-${traceId}-${parentId}7-01`,
    `00-${traceId}-${parentId.slice(1)}-01`,
  ),
  ...parents(
    'invalid flags',
    false,
    `00-${traceId}-${parentId}-.0`,
    `00-${traceId}-${parentId}-0.`,
    `00-${traceId}-${parentId}-001`,
    `00-${traceId}-${parentId}-1`,
  ),
  ...parents('blanks', true, ` 00-${rest}`, `\t00-${rest}`, `00-${rest} `, `00-${rest}\t`),
  ...parents('blanks', true, `\t 00-${rest} \t`),
  {
    title: 'the random flag is passed on',
    sent: [['traceparent', `00-${traceId}-${parentId}-02`]],
    continues: true,
    flags: '02',
  },
  {
    title: 'the random flag is not added',
    sent: [['traceparent', `00-${rest}`]],
    continues: true,
    flags: '01',
  },
  {
    title: 'unknown flags are not passed on',
    sent: [['traceparent', `00-${traceId}-${parentId}-fd`]],
    continues: true,
    flags: '01',
  },
  {
    title: 'of a later version only the first flag is known',
    sent: [['traceparent', `cc-${traceId}-${parentId}-03`]],
    continues: true,
    flags: '01',
  },
  { title: 'a state without a parent', sent: [['tracestate', 'foo=1,bar=2']], continues: false },
  states('a state goes on', 'foo=1,bar=2', 'foo=1,bar=2'),
  {
    title: 'another name',
    sent: [
      ['traceparent', parent],
      ['trace-state', 'foo=1'],
    ],
    continues: true,
  },
  {
    title: 'another name',
    sent: [
      ['traceparent', parent],
      ['trace.state', 'foo=1'],
    ],
    continues: true,
  },
  ...['TraceState', 'TrAcEsTaTe', 'TRACESTATE'].map((name) => ({
    title: 'letter case of the name',
    sent: [['traceparent', parent] as const, [name, 'foo=1'] as const],
    continues: true,
    state: 'foo=1',
  })),
  states('an empty state', '', ''),
  states('an empty header beside another', 'foo=1', 'foo=1', ''),
  states('an empty header beside another', 'foo=1', '', 'foo=1'),
  states(
    'several headers',
    'foo=1,bar=2,rojo=1,congo=2,baz=3',
    'foo=1,bar=2',
    'rojo=1,congo=2',
    'baz=3',
  ),
  states('a repeated key', 'foo=1', 'foo=1,foo=1'),
  states('a repeated key', 'foo=1', 'foo=1,foo=2'),
  states('a repeated key', 'foo=1', 'foo=1', 'foo=2'),
  states(
    'all characters',
    `${keyCharacters}=${valueCharacters}`,
    `${keyCharacters}=${valueCharacters}`,
  ),
  states(
    'all characters',
    `${keyCharacters}@a-z0-9_-*/=${valueCharacters}`,
    `${keyCharacters}@a-z0-9_-*/=${valueCharacters}`,
  ),
  states('blanks', 'foo=1,bar=2,baz=3', 'foo=1 \t , \t bar=2, \t baz=3'),
  states('blanks', 'foo=1,bar=2,baz=3', 'foo=1\t \t,\t \tbar=2,\t \tbaz=3'),
  ...[' foo=1', '\tfoo=1', 'foo=1 ', 'foo=1\t', '\t foo=1 \t'].map((value) =>
    states('blanks', 'foo=1', value),
  ),
  states('a leading space belongs to the value', 'foo= 1', 'foo= 1'),
  ...['foo =1', 'FOO=1', 'foo.bar=1'].map((value) => states('invalid keys', '', value)),
  states('at signs', 'foo@=1,bar=2', 'foo@=1,bar=2'),
  states('at signs', '', '@foo=1,bar=2'),
  states('at signs', 'foo@@bar=1,bar=2', 'foo@@bar=1,bar=2'),
  states('at signs', 'foo@bar@baz=1,bar=2', 'foo@bar@baz=1,bar=2'),
  states(
    '32 entries',
    numbered(1, 32),
    numbered(1, 10),
    numbered(11, 20),
    numbered(21, 30),
    numbered(31, 32),
  ),
  states('33 entries', '', numbered(1, 10), numbered(11, 20), numbered(21, 30), numbered(31, 33)),
  states('a key of 256 characters', `foo=1,${'z'.repeat(256)}=1`, 'foo=1', `${'z'.repeat(256)}=1`),
  states('a key of 257 characters', '', 'foo=1', `${'z'.repeat(257)}=1`),
  ...[`${'t'.repeat(241)}@${'v'.repeat(14)}`, `${'t'.repeat(242)}@v`, `t@${'v'.repeat(15)}`].map(
    (key) => states('long keys with an at sign', `foo=1,${key}=1`, 'foo=1', `${key}=1`),
  ),
  ...['foo=bar=baz', 'foo=,bar=3'].map((value) => states('invalid values', '', value)),
  states('a value of 256 characters', `foo=${'v'.repeat(256)}`, `foo=${'v'.repeat(256)}`),
  states('a value of 257 characters', '', `foo=${'v'.repeat(257)}`),
  states(
    'above 512 characters long entries go first, then the last ones',
    ['a', 'b', 'c', 'd'].map((key) => `${key}=${'x'.repeat(120)}`).join(','),
    `big=${'y'.repeat(200)}`,
    ['a', 'b', 'c', 'd', 'e'].map((key) => `${key}=${'x'.repeat(120)}`).join(','),
  ),
]

/** A server that calls back. */
interface Site {
  readonly port: number
  readonly called: FakeCollector
}

async function startSite(t: TestContext): Promise<Site> {
  const called = await startCollector(t, answer(200))
  const { server } = await tracedProject(
    t,
    (router) => {
      router.get('/:count', async ({ params: { count } }) => {
        for (let at = 0; at < Number(count); at += 1) await fetch(`${called.url}/${at}`)
        return 'done'
      })
    },
    { PORT: '0' },
  )
  const { port } = await server.listen({ signals: false })
  return { port, called }
}

/** Sends a request that makes the server call back, and returns the headers of the calls. */
async function calls(
  { port, called }: Site,
  sent: Headers,
  count = 1,
): Promise<readonly IncomingMessage['headers'][]> {
  const before = called.posts.length
  const headers = ['Host', '127.0.0.1', 'Connection', 'close', ...sent.flat()]
  const outgoing = send({ host: '127.0.0.1', port, path: `/${count}`, headers }).end()
  const [response] = await once(outgoing, 'response')
  assert.equal(await text(response), 'done')
  return called.posts.slice(before).map((post) => post.headers)
}

const form = /^00-([0-9a-f]{32})-([0-9a-f]{16})-(0[0-3])$/

test('the headers of other services are read and passed on as the W3C recommends', async (t) => {
  const site = await startSite(t)
  for (const { title, sent, continues, state = '', flags } of cases) {
    await t.test(`${title}: ${JSON.stringify(sent).slice(0, 120)}`, async () => {
      const [headers = {}] = await calls(site, sent)
      const [, trace = '', span = '', set = ''] = form.exec(String(headers['traceparent'])) ?? []
      assert.notEqual(trace, '', String(headers['traceparent']))
      assert.equal(trace === traceId, continues, trace)
      assert.notEqual(trace, '0'.repeat(32))
      assert.notEqual(span, parentId)
      if (flags !== undefined) assert.equal(set, flags)
      assert.equal(headers['tracestate'] ?? '', state)
    })
  }

  const zeros = `00-${'0'.repeat(32)}-${parentId}-01`
  for (const [sent, continues] of [
    [[['traceparent', `00-${rest}`]], true],
    [[], false],
    [[['traceparent', zeros]], false],
  ] as const) {
    await t.test(`three calls have one trace and different parents: ${sent.join()}`, async () => {
      const all = await calls(site, sent, 3)
      const parts = all.map(({ traceparent }) => form.exec(String(traceparent)))
      const [trace, ...others] = new Set(parts.map((one) => one?.[1]))
      assert.deepEqual(others, [])
      assert.equal(trace === traceId, continues)
      assert.equal(new Set(parts.map((one) => one?.[2])).size, 3)
    })
  }
})
