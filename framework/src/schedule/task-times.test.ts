import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { cronTimes, intervalTimes } from './task.ts'
import type { DueTimes } from './task.ts'

/** The next times after a time, as texts. */
function following(times: DueTimes, after: string, count: number): readonly string[] {
  const found: string[] = []
  let last = Date.parse(after)
  while (found.length < count) {
    last = times.next(last) ?? assert.fail('there are no more times')
    found.push(new Date(last).toISOString())
  }
  return found
}

describe('a cron expression', () => {
  test('is read in its time zone', () => {
    assert.deepEqual(
      following(cronTimes('0 7 1 * *', 'Europe/Berlin'), '2026-01-15T00:00:00Z', 4),
      [
        '2026-02-01T06:00:00.000Z',
        '2026-03-01T06:00:00.000Z',
        '2026-04-01T05:00:00.000Z',
        '2026-05-01T05:00:00.000Z',
      ],
    )
    assert.equal(cronTimes('0 7 1 * *', 'UTC').expression, '0 7 1 * * UTC')
  })

  test('a fixed time that the clocks leave out in spring is due right after the gap, once', () => {
    // At 02:00 the clocks of Berlin show 03:00.
    assert.deepEqual(
      following(cronTimes('30 2 * * *', 'Europe/Berlin'), '2026-03-28T12:00:00Z', 2),
      ['2026-03-29T01:00:00.000Z', '2026-03-30T00:30:00.000Z'],
    )
  })

  test('a fixed time that the clocks repeat in autumn is due once, the first time', () => {
    // At 03:00 the clocks of Berlin show 02:00.
    assert.deepEqual(
      following(cronTimes('30 2 * * *', 'Europe/Berlin'), '2026-10-24T12:00:00Z', 2),
      ['2026-10-25T00:30:00.000Z', '2026-10-26T01:30:00.000Z'],
    )
  })

  test('every half hour is due every half hour, whatever the clocks show', () => {
    for (const day of ['2026-03-29', '2026-10-25']) {
      const startMs = Date.parse(`${day}T00:00:00Z`)
      const expected = [1, 2, 3, 4, 5, 6].map((at) =>
        new Date(startMs + at * 1_800_000).toISOString(),
      )
      const times = cronTimes('*/30 * * * *', 'Europe/Berlin')
      assert.deepEqual(following(times, `${day}T00:00:00Z`, 6), expected)
    }
  })

  test('may have seconds, and is never due at the time it is asked about', () => {
    const times = cronTimes('*/20 * * * * *', 'UTC')
    assert.deepEqual(following(times, '2026-01-01T00:00:00.500Z', 3), [
      '2026-01-01T00:00:20.000Z',
      '2026-01-01T00:00:40.000Z',
      '2026-01-01T00:01:00.000Z',
    ])
  })

  test('knows the last time up to a moment, that moment included', () => {
    const times = cronTimes('0 7 * * *', 'UTC')
    const latest = (at: string): string => new Date(times.latest(Date.parse(at)) ?? 0).toISOString()
    assert.equal(latest('2026-01-02T06:59:59.999Z'), '2026-01-01T07:00:00.000Z')
    assert.equal(latest('2026-01-02T07:00:00.000Z'), '2026-01-02T07:00:00.000Z')
    assert.equal(latest('2026-01-02T07:00:00.001Z'), '2026-01-02T07:00:00.000Z')
  })

  test('that cannot be read, or is never due, is refused', () => {
    const wrong: readonly (readonly [string, string])[] = [
      ['every day', 'UTC'],
      ['* * *', 'UTC'],
      ['61 * * * *', 'UTC'],
      ['0 0 31 2 *', 'UTC'],
      ['2026-01-01T00:00:00', 'UTC'],
      ['', 'UTC'],
      ['0 7 * * *', 'Europe/Atlantis'],
    ]
    for (const [expression, zone] of wrong) {
      assert.throws(
        () => cronTimes(expression, zone),
        { code: 'E_SCHEDULE' },
        `${expression} ${zone}`,
      )
    }
  })
})

test('an interval is due at its multiples, so that all machines agree', () => {
  const times = intervalTimes(90)
  assert.equal(times.expression, 'every 90 s')
  assert.deepEqual(
    [times.next(0), times.next(89_999), times.next(90_000)],
    [90_000, 90_000, 180_000],
  )
  assert.deepEqual([times.latest(90_000), times.latest(179_999)], [90_000, 90_000])
  for (const wrong of [0, -1, 1.5, Number.NaN, 40 * 86_400]) {
    assert.throws(() => intervalTimes(wrong), { code: 'E_SCHEDULE' })
  }
})
