import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { addParts, roundParts } from './exact-sum.ts'
import { JsonExporter } from './exporters/json.ts'
import type { Metric } from './metric.ts'
import { Snapshot } from './snapshot.ts'

const finite = fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e300, max: 1e300 })
/** Numbers of like size with many digits: it is those that order matters for. */
const step = fc.integer({ min: 1, max: 2 ** 30 }).map((number) => number / 3e6)

/** The nearest double by whole numbers without bounds: every double is a multiple of 2 ** -1074. */
function exactly(numbers: readonly number[]): number {
  let sum = 0n
  for (const number of numbers) sum += units(number)
  return nearest(sum)
}

function units(number: number): bigint {
  const view = new DataView(new ArrayBuffer(8))
  view.setFloat64(0, number)
  const bits = view.getBigUint64(0)
  const exponent = (bits >> 52n) & 0x7ffn
  const fraction = bits & 0xf_ffff_ffff_ffffn
  const size = exponent === 0n ? fraction : (fraction | (1n << 52n)) << (exponent - 1n)
  return number < 0 ? -size : size
}

function nearest(sum: bigint): number {
  const size = sum < 0n ? -sum : sum
  const shift = BigInt(Math.max(0, size.toString(2).length - 53))
  const low = size & ((1n << shift) - 1n)
  const half = shift === 0n ? 1n : 1n << (shift - 1n)
  let kept = size >> shift
  if (low > half || (low === half && kept % 2n === 1n)) kept += 1n
  const value = Number(kept) * 2 ** (Number(shift) - 1_074)
  return sum < 0n ? -value : value
}

function sumOf(numbers: readonly number[]): number {
  let parts: readonly number[] = [0]
  for (const number of numbers) parts = addParts(parts, [number])
  return roundParts(parts)
}

test('a sum is the double nearest to the true one', () => {
  assert.equal(sumOf([0.1, 0.2, 0.3]), 0.6)
  assert.equal(sumOf([1e16, 1, 1]), 1e16 + 2)
  assert.equal(sumOf([1e300, 1, -1e300]), 1)
  fc.assert(
    fc.property(fc.array(finite, { maxLength: 12 }), (numbers) => {
      assert.equal(sumOf(numbers) + 0, exactly(numbers) + 0)
    }),
  )
})

test('beyond the largest double a sum is infinite', () => {
  assert.equal(sumOf([Number.MAX_VALUE, Number.MAX_VALUE]), Infinity)
  assert.equal(sumOf([Infinity, 1]), Infinity)
  assert.ok(Number.isNaN(sumOf([NaN, 1])))
})

/** The counts of one worker at one moment. */
function counts(value: number): Snapshot {
  const snapshot = new Snapshot(1)
  const series = [{ labels: {}, value }]
  snapshot.add('work_total', { type: 'counter', help: '', series })
  const buckets = { '+Inf': 1 }
  const histogram: Metric = {
    type: 'histogram',
    help: '',
    series: [{ labels: {}, buckets, sum: value, count: 1 }],
  }
  snapshot.add('work_seconds', histogram)
  return snapshot
}

function numbers({ metrics }: Snapshot): [value: number | null, sum: number | null] {
  const [counter] = metrics['work_total']?.series ?? []
  const [histogram] = metrics['work_seconds']?.series ?? []
  return [
    counter !== undefined && 'value' in counter ? counter.value : null,
    histogram !== undefined && 'sum' in histogram ? histogram.sum : null,
  ]
}

/** As the next reader finds it: written to a file and read again. */
function reread(snapshot: Snapshot): Snapshot {
  return Snapshot.import(JSON.parse(new JsonExporter({ exactSums: true }).export(snapshot)))
}

test('merging in any order and grouping, with or without files, yields the same numbers', () => {
  fc.assert(
    fc.property(
      fc.array(step, { minLength: 1, maxLength: 8 }),
      fc.array(fc.nat(), { minLength: 8, maxLength: 8 }),
      fc.nat(),
      (values, order, cut) => {
        const straight = new Snapshot(0)
        for (const value of values) straight.merge(counts(value))
        const shuffled = values
          .map((value, at) => ({ value, key: order[at] ?? 0 }))
          .toSorted((a, b) => a.key - b.key)
        const groups = [new Snapshot(0), new Snapshot(0)] as const
        for (const [at, { value }] of shuffled.entries()) {
          groups[at < cut % values.length ? 0 : 1].merge(counts(value))
        }
        const grouped = reread(groups[1]).merge(reread(groups[0]))
        assert.deepEqual(numbers(grouped), numbers(straight))
        assert.equal(numbers(straight)[0], exactly(values))
        assert.equal(numbers(straight)[1], exactly(values))
      },
    ),
  )
})

test('no total of a fleet ever decreases, whichever process merges and whenever workers retire', () => {
  // Mostly at rest, where nothing grows that would hide a fall by the last digit.
  const by = fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, step)
  const event = fc.record({ worker: fc.nat(3), by, retires: fc.boolean(), order: fc.nat() })
  fc.assert(
    fc.property(fc.array(event, { minLength: 20, maxLength: 40 }), (events) => {
      const living = [0, 0, 0, 0]
      let retired = new Snapshot(0)
      let before: readonly (number | null)[] = [0, 0]
      for (const { worker, by, retires, order } of events) {
        living[worker] = (living[worker] ?? 0) + by
        if (retires) {
          retired = reread(retired.merge(counts(living[worker] ?? 0)))
          living[worker] = 0
        }
        const files = [reread(retired), ...living.map(counts)]
        const merged = new Snapshot(0)
        for (let at = 0; at < files.length; at += 1) {
          const file = files[(at + order) % files.length]
          if (file !== undefined) merged.merge(file)
        }
        const seen = numbers(merged)
        for (const [at, number] of seen.entries()) {
          assert.ok((number ?? 0) >= (before[at] ?? 0), `${before[at]} to ${number}`)
        }
        before = seen
      }
    }),
  )
})

test('exact sums are written only on request, and only read when they match their number', () => {
  const merged = counts(0.1).merge(counts(0.2)).merge(counts(0.3))
  assert.deepEqual(merged.metrics['work_total']?.series, [{ labels: {}, value: 0.6 }])
  assert.doesNotMatch(new JsonExporter().export(merged), /parts/)
  const text = new JsonExporter({ exactSums: true }).export(merged)
  assert.equal(text.match(/"parts":\[/g)?.length, 2)
  assert.doesNotMatch(new JsonExporter({ exactSums: true }).export(counts(0.1)), /parts/)
  for (const parts of ['[1,2]', '"x"', '[0.6,null]', '[]']) {
    const changed = text.replaceAll(/"parts":\[[^\]]*\]/g, `"parts":${parts}`)
    const found = Snapshot.import(JSON.parse(changed)).merge(counts(0))
    assert.deepEqual(numbers(found), [0.6, 0.6], parts)
  }
})
