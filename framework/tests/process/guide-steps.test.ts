import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { plantTree } from '../package/planted-tree.ts'
import { applyStep, guideSteps } from './guide-steps.ts'
import type { GuideStep } from './guide-steps.ts'

function stepOf(block: string): Exclude<GuideStep, { kind: 'commands' }> {
  const [step] = guideSteps(block)
  if (step === undefined || step.kind === 'commands') assert.fail('no step')
  return step
}

const addition = stepOf('```diff\n--- a.ts\n@@\n one\n+two\n@@\n-three\n+four\n```\n')

test('the blocks of a page are steps, and text after commands is their expected output', () => {
  const page = [
    'Type\n\n```sh\nnpm ci\ncurl x\n```\n\n```text\nyes\n```\n',
    '```ts\n// routes/a.ts\nexport {}\n```\n',
    '```html\n<!-- views/a.html -->\n<p>\n```\n',
  ].join('\nand\n\n')
  assert.deepEqual(guideSteps(page), [
    { kind: 'commands', commands: ['npm ci', 'curl x'], shown: ['yes'] },
    { kind: 'file', path: 'routes/a.ts', text: 'export {}\n' },
    { kind: 'file', path: 'views/a.html', text: '<p>\n' },
  ])
})

test('a change puts lines in place, and a file with a timestamp is found', (t) => {
  const folder = plantTree(t, { 'a.ts': 'one\nx\nthree\n', 'm/2026_a.ts': '' })
  applyStep(folder, addition)
  assert.equal(readFileSync(join(folder, 'a.ts'), 'utf8'), 'one\ntwo\nx\nfour\n')
  applyStep(folder, stepOf('```ts\n// m/<time>_a.ts\nfilled\n```\n'))
  assert.equal(readFileSync(join(folder, 'm/2026_a.ts'), 'utf8'), 'filled\n')
})

test('a change to missing or ambiguous lines is an error, and so is a nameless block', (t) => {
  for (const [text, times] of [
    ['one\n', 0],
    ['one\none\nthree\n', 2],
  ] as const) {
    const folder = plantTree(t, { 'a.ts': text })
    assert.throws(() => applyStep(folder, addition), new RegExp(`a\\.ts has ${times} times`))
  }
  assert.throws(() => guideSteps('```ts\nconst a = 1\n```\n'), /does not say which file/)
  assert.throws(() => guideSteps('```diff\n+a\n```\n'), /does not say where/)
})
