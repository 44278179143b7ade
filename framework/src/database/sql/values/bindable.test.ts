import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Kinds, Posts } from '../../../../tests/support/sample-plans.ts'
import { decimal, json, key } from '../../../orm/entity/column.ts'
import { entity } from '../../../orm/entity/entity.ts'
import { bindable } from './bindable.ts'
import { dialects } from '../../../../tests/support/dialects.ts'
import type { Dialect } from '../dialects/dialect.ts'

const { sqlite, postgres, mariadb } = dialects
const everywhere = [sqlite, postgres, mariadb]

function bind(property: string, value: unknown, dialect: Dialect = sqlite): unknown {
  return bindable(Kinds.column(property), value, dialect)
}

describe('a value that fits its column is bound', () => {
  test('unchanged if the driver accepts it', () => {
    const content = new Uint8Array([0, 255])
    for (const dialect of everywhere) {
      assert.equal(bind('whole', 2 ** 31 - 1, dialect), 2 ** 31 - 1)
      assert.equal(bind('whole', -(2 ** 31), dialect), -(2 ** 31))
      assert.equal(bind('safe', Number.MIN_SAFE_INTEGER, dialect), Number.MIN_SAFE_INTEGER)
      assert.equal(bind('big', 2n ** 63n - 1n, dialect), 2n ** 63n - 1n)
      assert.equal(bind('big', -(2n ** 63n), dialect), -(2n ** 63n))
      assert.equal(bind('ratio', 0.1, dialect), 0.1)
      assert.equal(bind('flag', false, dialect), false)
      assert.equal(bind('state', 'live', dialect), 'live')
      assert.equal(bind('day', '2024-02-29', dialect), '2024-02-29')
      assert.equal(bind('name', "Robert'); --", dialect), "Robert'); --")
      assert.equal(bind('content', content, dialect), content)
    }
  })

  test('a decimal as a number on SQLite, which compares numbers, and as its text elsewhere', () => {
    assert.equal(bind('price', '19.90', sqlite), 19.9)
    assert.equal(bind('price', '19.90', postgres), '19.90')
    assert.equal(bind('price', '19.90', mariadb), '19.90')
  })

  test('a Date and an exact timestamp as UTC text with six fractional digits', () => {
    for (const dialect of everywhere) {
      const date = new Date('2026-01-31T12:00:00.120Z')
      assert.equal(bind('moment', date, dialect), '2026-01-31 12:00:00.120000')
      assert.equal(bind('exact', '2026-01-31 12:00:00', dialect), '2026-01-31 12:00:00.000000')
      assert.equal(
        bind('exact', '2026-01-31 12:00:00.123456', dialect),
        '2026-01-31 12:00:00.123456',
      )
    }
  })

  test('a UUID in lower case, and a time with its seconds', () => {
    for (const dialect of everywhere) {
      assert.equal(
        bind('code', '01980C5E-5C00-7000-8000-00000000000A', dialect),
        '01980c5e-5c00-7000-8000-00000000000a',
      )
      assert.equal(bind('opens', '09:30', dialect), '09:30:00')
      assert.equal(bind('opens', '23:59:59', dialect), '23:59:59')
    }
  })

  test('a document as JSON', () => {
    assert.equal(bind('document', { a: [1, null, 'é'] }), '{"a":[1,null,"é"]}')
    assert.equal(bind('document', 'text'), '"text"')
    assert.equal(bind('document', false), 'false')
    const Notes = entity('notes', { id: key.integer(), content: json() })
    assert.equal(bindable(Notes.column('content'), null, sqlite), 'null')
  })

  test('null as NULL in a nullable column', () => {
    for (const { property, isNullable } of Kinds.columns) {
      if (isNullable) assert.equal(bind(property, null), null)
    }
  })
})

describe('a value that does not fit is rejected before anything is sent', () => {
  const refusals: Readonly<Record<string, readonly unknown[]>> = {
    whole: [
      1.5,
      3e9,
      2 ** 31,
      -(2 ** 31) - 1,
      2 ** 53,
      Number.NaN,
      Infinity,
      '1',
      1n,
      true,
      new Date(0),
      [1],
      {},
    ],
    safe: [1.5, 2 ** 53, Number.NaN, '1', 1n],
    big: [1, 2n ** 63n, -(2n ** 63n) - 1n, '1', 1.5],
    price: [19.9, 20n, '19.999', '12345678901234', 'abc', '', '1e3', 'NaN'],
    ratio: [Number.NaN, Infinity, -Infinity, '0.1', 1n],
    flag: [0, 1, 'true', 't'],
    name: [1, Symbol('x'), ['x'], { toString: () => 'x' }, new String('x'), () => 'x'],
    code: [1, '', '01980c5e5c0070008000000000000000', '{01980c5e-5c00-7000-8000-00000000000a}'],
    state: ['DRAFT', '', 'draft ', 1],
    day: ['2026-02-30', '2026-1-31', '', new Date(0)],
    opens: ['24:00:00', '12:60', '9:30', '12:30:00.5', '12:30:00+00', '', 12],
    moment: ['2026-01-31 12:00:00', 0, new Date(Number.NaN), new Date(8.64e15)],
    exact: [
      new Date(0),
      '2026-01-31',
      '2026-02-30 12:00:00',
      '2026-01-31 12:00:00+00',
      '2026-01-31 12:00:00.1234567',
    ],
    document: [() => 1, Symbol('x'), 1n, { a: 1n }, circular()],
    content: ['text', [1, 2], new ArrayBuffer(2), new Uint16Array(2)],
  }
  for (const [property, values] of Object.entries(refusals)) {
    test(`by ${property}`, () => {
      for (const dialect of everywhere) {
        for (const value of [...values, undefined]) {
          assert.throws(() => bind(property, value, dialect), {
            code: 'E_COLUMN_VALUE',
            message: new RegExp(`^${property} takes .*, or null, got `, 's'),
          })
        }
      }
    })
  }

  test('null by a column that is not nullable', () => {
    for (const dialect of everywhere) {
      assert.throws(() => bindable(Posts.column('title'), null, dialect), {
        code: 'E_COLUMN_VALUE',
        message: 'title takes a text, got null',
      })
    }
  })

  test('a text with NUL or half a surrogate pair, by every database alike', () => {
    for (const dialect of everywhere) {
      assert.equal(bind('name', '🦊', dialect), '🦊')
      for (const text of ['a\0b', '\ud83e', 'x\udd8a', '\udd8a\ud83e']) {
        assert.throws(() => bind('name', text, dialect), {
          name: 'RefusedInput',
          code: 'E_COLUMN_VALUE',
          message: 'name takes a text, or null, got one with NUL or half a surrogate pair',
        })
      }
    }
  })

  test('a document with such a text, but not with the text of an escape', () => {
    for (const dialect of everywhere) {
      for (const value of ['\0', { a: ['x\0y'] }, { '\0': 1 }, '\\\0', '\ud83e', '\udd8a!']) {
        assert.throws(() => bind('document', value, dialect), { name: 'RefusedInput' })
      }
      for (const value of ['\\u0000', '\\\\u0000', '\\ud83e', '🦊', '\u0001']) {
        assert.equal(bind('document', value, dialect), JSON.stringify(value))
      }
    }
  })

  test('a decimal with more digits than a double by SQLite', () => {
    const Wide = entity('wide', { id: key.integer(), amount: decimal({ precision: 20, scale: 2 }) })
    assert.equal(
      bindable(Wide.column('amount'), '123456789012345678.90', mariadb),
      '123456789012345678.90',
    )
    assert.throws(() => bindable(Wide.column('amount'), '1.00', sqlite), { code: 'E_ENTITY' })
  })
})

describe('the error', () => {
  test('says what the column takes and what it got', () => {
    assert.throws(() => bind('whole', 1.5), {
      message: 'whole takes a whole number of at most 32 bits, or null, got the number 1.5',
    })
    assert.throws(() => bind('safe', 2 ** 53), {
      message:
        'safe takes a whole number of at most 53 bits, or null, got the number 9007199254740992',
    })
    assert.throws(() => bind('state', 'gone'), {
      name: 'RefusedInput',
      message: "state takes one of 'draft', 'live', or null, got another text",
    })
    assert.throws(() => bind('code', 'x'), {
      name: 'RefusedInput',
      message:
        "code takes a UUID as a text such as '01980c5e-5c00-7000-8000-000000000000', or null, got a text in another format",
    })
    assert.throws(() => bind('price', '1.999'), {
      message:
        'price takes a decimal as a text, at most 13 digits before the point and 2 after it, or null, got a text in another format',
    })
    assert.throws(() => bind('moment', new Date(Number.NaN)), { message: /got an invalid Date$/ })
    assert.throws(() => bind('moment', new Date(8.64e15)), { message: /got a Date$/ })
    assert.throws(() => bind('big', 2n ** 64n), {
      message: /got the bigint 18446744073709551616$/,
    })
    assert.throws(() => bind('flag', undefined), { message: /got undefined$/ })
    assert.throws(() => bind('flag', ['x']), { message: /got a list$/ })
    assert.throws(() => bind('flag', new Uint8Array(1)), { message: /got bytes$/ })
    assert.throws(() => bind('flag', {}), { message: /got an object$/ })
    assert.throws(() => bind('whole', true), { message: /got true$/ })
    assert.throws(() => bind('whole', () => 1), { message: /got a function$/ })
  })

  test('never repeats a text, which may be a secret', () => {
    for (const { property } of Kinds.columns) {
      if (property === 'name' || property === 'document') continue
      assert.throws(
        () => bind(property, 'hunter2'),
        (error: Error) => !error.message.includes('hunter2'),
      )
    }
    assert.throws(
      () => bind('name', 'hunter2\0', postgres),
      (error: Error) => !error.message.includes('hunter2'),
    )
  })
})

function circular(): object {
  const one: Record<string, unknown> = {}
  one['self'] = one
  return one
}
