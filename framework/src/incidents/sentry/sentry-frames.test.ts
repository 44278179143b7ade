import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { Origins } from '../../errors/stack/frames.ts'
import type { Frame } from '../../errors/stack/frames.ts'
import { sentryFrames } from './sentry-frames.ts'

const frame = (given: Partial<Frame>): Frame => ({
  call: 'Shop.sell',
  file: '/shop/orders/sell.ts',
  line: 12,
  column: 3,
  origin: Origins.Application,
  ...given,
})

test('the oldest call comes first; own code is told from packages and Node', () => {
  const shown = sentryFrames(
    [
      frame({}),
      frame({
        call: '',
        file: '/shop/node_modules/pg/lib/client.js',
        origin: Origins.Vendor,
        line: 7,
        column: 1,
      }),
      frame({ call: 'new Promise', file: '<anonymous>', line: 0, column: 0, origin: Origins.Node }),
    ],
    '/shop',
  )
  assert.deepEqual(shown, [
    { function: 'new Promise', filename: '<anonymous>', in_app: false },
    {
      function: '?',
      filename: 'node_modules/pg/lib/client.js',
      lineno: 7,
      colno: 1,
      in_app: false,
    },
    { function: 'Shop.sell', filename: 'orders/sell.ts', lineno: 12, colno: 3, in_app: true },
  ])
})

test('own code is shown with its source, without the secrets in it', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'framework-frames-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'sell.ts')
  const lines = [
    `const apiKey = 'hunter2'`,
    `const options = { "password": "hunter2", token: \`hunter2\`, name: 'ada' }`,
    `const url = 'https://ada:hunter2@host/'`,
    `throw new Error('sold out')`,
    `// ${'x'.repeat(500)}`,
  ]
  writeFileSync(file, lines.join('\n'))
  assert.deepEqual(sentryFrames([frame({ file, line: 4 })], folder), [
    {
      function: 'Shop.sell',
      filename: 'sell.ts',
      lineno: 4,
      colno: 3,
      in_app: true,
      pre_context: [
        `const apiKey = '[redacted]'`,
        `const options = { "password": "[redacted]", token: \`[redacted]\`, name: 'ada' }`,
        `const url = 'https://[redacted]@host/'`,
      ],
      context_line: `throw new Error('sold out')`,
      post_context: [`// ${'x'.repeat(197)}`],
    },
  ])
})
