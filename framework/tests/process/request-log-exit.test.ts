import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'

const child = `${import.meta.dirname}/../support/request-log-exit-child.ts`

for (const [end, title] of [
  ['exit', 'exits'],
  ['crash', 'crashes'],
] as const) {
  test(`no request line is lost when the process ${title}`, () => {
    const args = ['--conditions=source', child, end]
    const { stdout, status } = spawnSync(process.execPath, args, { encoding: 'utf8' })
    assert.equal(status, end === 'exit' ? 0 : 1)
    assert.equal(stdout.split('\n').filter((line) => line.includes('"requests"')).length, 2)
  })
}
