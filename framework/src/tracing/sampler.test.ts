import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Decisions, Samplers, samplerOf } from './sampler.ts'

const top = 2 ** 56
const { Drop, Record, Late } = Decisions

function decide(
  name: Samplers | null,
  ratio: number,
  parentSampled: boolean | null,
  randomness = 0,
): Decisions {
  return samplerOf(name, ratio)({ parentSampled, isOwnRoot: parentSampled === null, randomness })
}

test('the six samplers of OpenTelemetry decide as they are defined', () => {
  const table: readonly (readonly [Samplers, Decisions, Decisions, Decisions])[] = [
    // without a parent (of little randomness), with a sampled one, with an unsampled one
    [Samplers.AlwaysOn, Record, Record, Record],
    [Samplers.AlwaysOff, Drop, Drop, Drop],
    [Samplers.Ratio, Drop, Drop, Drop],
    [Samplers.ParentOn, Record, Record, Drop],
    [Samplers.ParentOff, Drop, Record, Drop],
    [Samplers.ParentRatio, Drop, Record, Drop],
  ]
  for (const [name, alone, sampled, unsampled] of table) {
    assert.equal(decide(name, 0.5, null), alone, name)
    assert.equal(decide(name, 0.5, true), sampled, name)
    assert.equal(decide(name, 0.5, false), unsampled, name)
  }
})

test('the ratio is a threshold on the last 56 bits of the trace id', () => {
  for (const name of [Samplers.Ratio, Samplers.ParentRatio]) {
    assert.equal(decide(name, 0.25, null, top * 0.75), Record)
    assert.equal(decide(name, 0.25, null, top * 0.74), Drop)
    assert.equal(decide(name, 0, null, top - 1), Drop)
    assert.equal(decide(name, 1, null, 0), Record)
  }
})

test('by default a trace of our own beyond the ratio is kept until its end', () => {
  assert.equal(decide(null, 0.25, null, top * 0.9), Record)
  assert.equal(decide(null, 0.25, null, 0), Late)
  assert.equal(decide(null, 0.25, true), Record)
  assert.equal(decide(null, 0.25, false), Drop)
  const job = { parentSampled: false, isOwnRoot: true, randomness: 0 }
  assert.equal(samplerOf(null, 0.25)(job), Late)
})
