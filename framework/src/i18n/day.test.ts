import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { day, isTimeZone, momentAt, momentText, timeZones } from './day.ts'

for (const [zone, date, start, hours] of [
  ['UTC', '2026-03-29', '2026-03-29T00:00:00.000Z', 24],
  ['Europe/Berlin', '2026-03-28', '2026-03-27T23:00:00.000Z', 24],
  ['Europe/Berlin', '2026-03-29', '2026-03-28T23:00:00.000Z', 23],
  ['Europe/Berlin', '2026-10-25', '2026-10-24T22:00:00.000Z', 25],
  // There is no midnight: the clocks go from 23:59 to 01:00.
  ['America/Santiago', '2026-09-06', '2026-09-06T04:00:00.000Z', 23],
  ['Africa/Cairo', '2026-04-24', '2026-04-23T22:00:00.000Z', 23],
  // At midnight they go back to 23:00 of the day that ends, and in Havana from one to midnight.
  ['America/Santiago', '2026-04-04', '2026-04-04T03:00:00.000Z', 25],
  ['America/Havana', '2026-11-01', '2026-11-01T04:00:00.000Z', 25],
  ['Asia/Kolkata', '2026-01-31', '2026-01-30T18:30:00.000Z', 24],
  // From 23:30 to 00:30.
  ['America/Toronto', '1919-03-31', '1919-03-31T04:30:00.000Z', 23.5],
  // On the other side of the date line there was no such day.
  ['Pacific/Apia', '2011-12-30', '2011-12-30T10:00:00.000Z', 0],
] as const) {
  test(`${date} in ${zone} begins at ${start} and has ${hours} hours`, () => {
    const found = day(date, zone)
    assert.equal(found.start.toISOString(), start)
    assert.equal((found.end.getTime() - found.start.getTime()) / 3_600_000, hours)
  })
}

test('every moment is in its day, and the next day begins where it ends', () => {
  const zones = fc.constantFrom('Europe/Berlin', 'America/Santiago', 'Africa/Cairo', 'Asia/Kolkata')
  const moments = fc.date({
    min: new Date('1990-01-01'),
    max: new Date('2037-01-01'),
    noInvalidDate: true,
  })
  fc.assert(
    fc.property(moments, zones, (moment, zone) => {
      const { date, start, end } = day(moment, zone)
      assert.ok(start <= moment && moment < end)
      assert.deepEqual(day(date, zone), { date, start, end })
      assert.deepEqual(day(end, zone).start, end)
      assert.equal(day(end.getTime() / 1000 - 1, zone).date, date)
    }),
    { numRuns: 300 },
  )
})

test('a time that comes twice is the first or the last, and one that is skipped when clocks skip it', () => {
  const at = (clock: string, last?: boolean): string =>
    new Date(momentAt(Date.parse(`${clock}Z`), 'Europe/Berlin', last)).toISOString()
  assert.equal(at('2026-10-25T02:30'), '2026-10-25T00:30:00.000Z')
  assert.equal(at('2026-10-25T02:30', true), '2026-10-25T01:30:00.000Z')
  assert.equal(at('2026-03-29T02:30'), '2026-03-29T01:00:00.000Z')
})

test('a moment has the time of its zone and how far that is ahead of UTC', () => {
  const text = (moment: string, zone: string): string => momentText(new Date(moment), zone)
  assert.equal(text('2026-10-25T00:30:00Z', 'Europe/Berlin'), '2026-10-25 02:30 UTC+2')
  assert.equal(text('2026-10-25T01:30:00Z', 'Europe/Berlin'), '2026-10-25 02:30 UTC+1')
  assert.equal(text('2026-01-31T20:00:00Z', 'Asia/Kolkata'), '2026-02-01 01:30 UTC+5:30')
  assert.equal(text('2026-01-31T20:00:00Z', 'America/St_Johns'), '2026-01-31 16:30 UTC-3:30')
  assert.equal(momentText(0, 'UTC'), '1970-01-01 00:00 UTC')
})

test('dates and zones that do not exist are refused', () => {
  for (const date of ['2026-02-30', '2026-3-1', 'today', '', '2026-03-29T00:00']) {
    assert.throws(() => day(date, 'UTC'), { code: 'E_INVALID_ARGUMENT' })
  }
  assert.throws(() => day(new Date(Number.NaN), 'Europe/Berlin'), { code: 'E_INVALID_ARGUMENT' })
  assert.throws(() => day(0, 'Europe/Bonn'), { code: 'E_INVALID_ARGUMENT' })
})

test('every zone to choose from exists, with the names that cities have today', () => {
  assert.deepEqual(
    timeZones().filter((name) => !isTimeZone(name)),
    [],
  )
  for (const name of ['UTC', 'Europe/Berlin', 'Asia/Kolkata', 'Europe/Kyiv']) {
    assert.ok(timeZones().includes(name), name)
  }
  for (const name of ['', '+01:00', 'Europe/Bonn', 'Europe/Berlin ']) {
    assert.equal(isTimeZone(name), false, name)
  }
})
