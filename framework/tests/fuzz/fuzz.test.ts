import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fuzz, FuzzFailure } from './fuzz-target.ts'
import { httpTarget, parsers } from './fuzz-targets.ts'
import { serveFuzzed } from './fuzzed-server.ts'

const seed = Math.floor(Math.random() * 2 ** 32)

for (const target of parsers) {
  test(`the parser "${target.name}" withstands its corpus and changes of it, --seed ${seed}`, async () => {
    await fuzz(target, 200, seed)
  })
}

test(`a server withstands any bytes, --seed ${seed}`, async (t) => {
  const fuzzed = await serveFuzzed()
  t.after(() => fuzzed.close())
  await fuzz(httpTarget(fuzzed.port, fuzzed.reported), 200, seed)
})

test('a parser that fails on one path in a thousand is found', async () => {
  const planted = {
    name: 'query',
    run(input: Buffer) {
      if (/=&.*%/.test(input.toString('latin1'))) throw new TypeError('planted')
    },
  }
  await assert.rejects(fuzz(planted, 20_000, 7), (error) => {
    assert.ok(error instanceof FuzzFailure)
    assert.match(error.message, /^query fails on "[^\n]+"\nTypeError: planted/)
    return true
  })
})
