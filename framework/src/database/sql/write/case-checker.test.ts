import assert from 'node:assert/strict'
import { test } from 'node:test'
import { caseChecker } from './case-checker.ts'
import { Orders } from '../plan/operators.ts'

const checked = caseChecker('the direction of an order', Orders)

test('a case of the enumeration is returned', () => {
  assert.equal(checked(Orders.Asc), 'asc')
  assert.equal(checked('desc'), 'desc')
})

test('anything else is rejected, and the error lists the cases and the value', () => {
  const refused = (value: unknown, got: string): void =>
    assert.throws(() => checked(value), {
      name: 'InvalidArgumentException',
      code: 'E_INVALID_ARGUMENT',
      message: `the direction of an order must be one of 'asc', 'desc', got ${got}`,
    })
  refused('DESC', '"DESC"')
  refused('Asc', '"Asc"')
  refused('__proto__', '"__proto__"')
  refused('x'.repeat(1000), `"${'x'.repeat(40)}"`)
  refused('asc\n', '"asc\\n"')
  refused(null, 'null')
  refused(undefined, 'undefined')
  refused(['asc'], 'object')
  refused(Object('asc'), 'object')
})
