import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { HeldTraces, Holder } from './held-traces.ts'

class Held extends Holder {
  isReleased = false

  override release(): void {
    this.isReleased = true
  }
}

function holders(held: HeldTraces, count: number): Held[] {
  return Array.from({ length: count }, () => {
    const holder = new Held()
    held.add(holder)
    return holder
  })
}

function released(list: readonly Held[]): string {
  return list.map(({ isReleased }) => (isReleased ? 'x' : '-')).join('')
}

function start(t: TestContext): HeldTraces {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  return new HeldTraces()
}

test('what is held for more than a second is released', (t) => {
  const held = start(t)
  const first = holders(held, 2)
  t.mock.timers.tick(999)
  const second = holders(held, 1)
  t.mock.timers.tick(1)
  const third = holders(held, 1)
  assert.equal(released([...first, ...second, ...third]), '----')
  t.mock.timers.tick(1_000)
  assert.equal(released([...first, ...second, ...third]), 'xxx-')
  t.mock.timers.tick(1_000)
  assert.equal(released(third), 'x')
  const fourth = holders(held, 1)
  for (let second = 0; second < 2; second += 1) t.mock.timers.tick(1_000)
  assert.equal(released(fourth), 'x')
})

for (const gone of [0, 1, 2, 3]) {
  test(`what was let go is not released: number ${gone} of four`, (t) => {
    const held = start(t)
    const list = holders(held, 4)
    const one = list[gone]
    assert.ok(one !== undefined)
    held.delete(one)
    held.delete(one)
    list.push(...holders(held, 1))
    held.close()
    assert.equal(released(list), list.map((_, at) => (at === gone ? '-' : 'x')).join(''))
  })
}

test('nothing is left when all were let go', (t) => {
  const held = start(t)
  const list = holders(held, 3)
  for (const one of list.toReversed()) held.delete(one)
  const [late] = holders(held, 1)
  for (let second = 0; second < 2; second += 1) t.mock.timers.tick(1_000)
  assert.equal(released(list), '---')
  assert.equal(late?.isReleased, true)
})
