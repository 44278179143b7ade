import assert from 'node:assert/strict'
import { test } from 'node:test'

import { parseLevel } from './level.ts'

test('a known level is accepted, others are rejected with the list', () => {
  assert.equal(parseLevel('warn'), 'warn')
  for (const text of ['WARN', 'loud', '', 'toString']) {
    assert.throws(() => parseLevel(text), {
      code: 'E_LOG_LEVEL',
      message: /one of debug, info, warn, error, fatal, silent; got "/,
    })
  }
})
