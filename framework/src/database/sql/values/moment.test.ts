import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import * as fc from 'fast-check'
import { isDayText, momentDigits, momentMs, momentText, parseMoment } from './moment.ts'

const anyDate = fc.date({
  noInvalidDate: true,
  min: new Date('0001-01-01T00:00:00.000Z'),
  max: new Date('9999-12-31T23:59:59.999Z'),
})

test('a day is a date of the calendar in ten characters', () => {
  for (const day of ['0001-01-01', '2024-02-29', '9999-12-31'])
    assert.equal(isDayText(day), true, day)
  const others = ['', '2026', '2026-2-1', '2026-02-29', '2026-13-01', '2026-01-31 ', '2026/01/31']
  for (const other of [...others, 20_260_131, null, new Date()])
    assert.equal(isDayText(other), false)
})

describe('a Date as text', () => {
  test('is UTC with six fractional digits', () => {
    assert.equal(
      momentText(new Date(Date.UTC(2026, 0, 31, 12, 5, 9, 7))),
      '2026-01-31 12:05:09.007000',
    )
  })

  test('sorts by time and parses back to the same time', () => {
    fc.assert(
      fc.property(anyDate, anyDate, (one, other) => {
        const text = momentText(one) ?? ''
        assert.equal(text < (momentText(other) ?? ''), one < other)
        assert.equal(momentMs(text), one.getTime())
        assert.equal(parseMoment(text)?.secondMs, Math.floor(one.getTime() / 1000) * 1000)
      }),
      { numRuns: 200 },
    )
  })

  test('is right for times close to each other, before 1970 too', () => {
    fc.assert(
      fc.property(anyDate, fc.array(fc.nat({ max: 130_000 })), (start, offsets) => {
        for (const offset of offsets) {
          const date = new Date(Math.min(start.getTime(), Date.UTC(9999, 11, 1)) + offset)
          assert.equal(momentText(date), `${date.toISOString().slice(0, -1).replace('T', ' ')}000`)
        }
      }),
      { numRuns: 100 },
    )
  })

  test('exists for the years 1 to 9999 only', () => {
    assert.equal(momentText(new Date(Number.NaN)), null)
    assert.equal(momentText(new Date(8.64e15)), null)
    assert.equal(momentText(new Date('0000-12-31T23:59:59.999Z')), null)
    assert.equal(momentText(new Date('0001-01-01T00:00:00Z')), '0001-01-01 00:00:00.000000')
  })
})

describe('a timestamp in the format of a database', () => {
  const readings: readonly (readonly [text: string, digits: string])[] = [
    ['2026-01-01 10:00:00', '2026-01-01 10:00:00.000000'],
    ['2026-01-01 10:00:00.5+00', '2026-01-01 10:00:00.500000'],
    ['2026-01-01 10:00:00.123456', '2026-01-01 10:00:00.123456'],
    ['2026-01-01T10:00:00.123Z', '2026-01-01 10:00:00.123000'],
    ['2026-01-01 10:00:00.123456789', '2026-01-01 10:00:00.123456'],
    ['2026-01-01 00:30:00.25+02', '2025-12-31 22:30:00.250000'],
    ['2026-01-01 00:30:00-03:30', '2026-01-01 04:00:00.000000'],
    ['1890-01-01 00:53:28+00:53:28', '1890-01-01 00:00:00.000000'],
    ['0099-03-01 00:00:00', '0099-03-01 00:00:00.000000'],
    ['2024-02-29 23:59:59.999999', '2024-02-29 23:59:59.999999'],
    ['2000-02-29 00:00:00', '2000-02-29 00:00:00.000000'],
  ]
  for (const [text, digits] of readings) {
    test(`${text} is ${digits} in UTC`, () => {
      const moment = parseMoment(text)
      assert.equal(moment === null ? null : momentDigits(moment), digits)
    })
  }

  test('is a Date with its milliseconds, finer digits dropped', () => {
    const read = (text: string): string => new Date(momentMs(text)).toISOString()
    assert.equal(read('2026-01-01 10:00:00.5+00'), '2026-01-01T10:00:00.500Z')
    assert.equal(read('2026-01-01 10:00:00.12'), '2026-01-01T10:00:00.120Z')
    assert.equal(read('2026-01-01 00:30:00.25+02'), '2025-12-31T22:30:00.250Z')
    assert.equal(read('2026-01-01 10:00:00.123999'), '2026-01-01T10:00:00.123Z')
    assert.equal(read('1960-01-01 10:00:00.123999'), '1960-01-01T10:00:00.123Z')
    assert.equal(read('0099-03-01 00:00:00'), '0099-03-01T00:00:00.000Z')
  })

  const others = [
    '',
    '2026-01-01',
    '2026-1-1 10:00:00',
    '2026-01-01 10:00',
    '2026-01-01 10:00:00.',
    '2026-01-01 10:00:00.1234567890',
    '2026-01-01 10:00:00 ',
    '2026-01-01 10:00:00+',
    '2026-01-01 10:00:00+0',
    '2026-01-01 10:00:00+16',
    '2026-01-01 10:00:00+05:60',
    '2026-01-01 10:00:00.5; DROP TABLE posts',
    ' 2026-01-01 10:00:00',
    '2026-01-01_10:00:00',
    '2026-00-01 10:00:00',
    '2026-13-01 10:00:00',
    '2026-01-00 10:00:00',
    '2026-01-32 10:00:00',
    '2026-04-31 10:00:00',
    '2026-02-29 10:00:00',
    '1900-02-29 10:00:00',
    '2026-01-01 24:00:00',
    '2026-01-01 10:60:00',
    '2026-01-01 10:00:60',
    '0000-00-00 00:00:00',
    '12026-01-01 10:00:00',
    'infinity',
    '２026-01-01 10:00:00',
  ]
  for (const text of others) {
    test(`${JSON.stringify(text)} is invalid`, () => {
      assert.equal(parseMoment(text), null)
      assert.equal(momentMs(text), Number.NaN)
    })
  }
})
