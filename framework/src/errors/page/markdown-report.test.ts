import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describe } from '../reports/description.ts'
import { markdownReport } from './markdown-report.ts'
import { sectionsOf } from './page-context.ts'
import type { PageContext } from './page-context.ts'

// Put together, so that the excerpts of this file do not hold it.
const secret = ['plan', 'ted'].join('')

function reported(error: Error, context: PageContext = {}): string {
  const options = { root: process.cwd(), request: '' }
  return markdownReport(describe(error), sectionsOf(context), options)
}

function withStack(error: Error, stack: string): Error {
  return Object.defineProperty(error, 'stack', { value: stack })
}

test('the report has class, message, excerpt, properties, frames, chain and context', () => {
  const cause = withStack(new TypeError('inner'), 'TypeError: inner\n    at node:fs:1:2')
  const error = Object.assign(new Error('outer', { cause }), { code: 'E_OUTER' })
  const report = reported(error, { Query: { page: '2' }, Fields: {} })
  assert.match(report, /^# `Error`\n\n```text\nouter\n```\n\n`{3,}text\n/)
  assert.match(report, /\n> +\d+ \|   const error = Object\.assign\(/)
  assert.match(report, /\ncode: 'E_OUTER'\n/)
  assert.match(report, /\nat .*\(.*markdown-report\.test\.ts:\d+:\d+\)\n/)
  assert.match(
    report,
    /\n## Caused by `TypeError`\n\n```text\ninner\n```\n\n```text\nat node:fs:1:2\n```/,
  )
  assert.match(
    report,
    /\n## Context\n\n### `Query`\n\n```text\npage: 2\n```\n\n### `Fields`\n\nempty\n$/,
  )
})

test('no run of back-ticks inside ends its block', () => {
  const report = reported(new Error('a\n```\n# forged\n`````\nb'), {
    'T`itle': { name: '```' },
  })
  assert.match(report, /\n``````text\na\n```\n# forged\n`````\nb\n``````\n/)
  assert.match(report, /\n### `` T`itle ``\n\n````text\nname: ```\n````\n/)
})

test('a class name with line breaks stays on one line', () => {
  const error = withStack(new Error('x'), '')
  error.name = 'Odd`\n# forged'
  assert.match(reported(error), /^# `` Odd` # forged ``\n/)
})

test('secrets are redacted and invisible characters are shown', () => {
  const report = reported(new Error(`redis://:${secret}@cache \u001B[31m`), {
    Headers: { cookie: secret },
  })
  assert.equal(report.includes(secret), false)
  assert.match(report, /␛\[31m/)
})

test('an error without message and stack is its class', () => {
  assert.equal(reported(withStack(new Error(''), '')), '# `Error`\n')
})
