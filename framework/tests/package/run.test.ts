import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { readCpu } from '../runner/read-cpu.ts'
import { summarize } from '../runner/summarize.ts'
import { runningProcesses } from '../support/running-processes.ts'
import { plantTree } from './planted-tree.ts'

const runner = join(import.meta.dirname, '..', 'run.ts')
const processes = join(import.meta.dirname, '..', 'support', 'running-processes.ts')

interface Run {
  readonly status: number | null
  readonly output: string
  /** The last line: the total counts. */
  readonly counts: string
}

function run(t: TestContext, files: Record<string, string>, ...parameters: string[]): Run {
  return runIn(plantTree(t, files), {}, ...parameters)
}

function runIn(root: string, more: Record<string, string>, ...parameters: string[]): Run {
  const { FRAMEWORK_NO_SKIPS: _, NODE_OPTIONS: __, ...env } = process.env
  const { status, stdout } = spawnSync(process.execPath, [runner, '--root', root, ...parameters], {
    encoding: 'utf8',
    env: { ...env, ...more },
  })
  return { status, output: stdout, counts: stdout.trimEnd().split('\n').at(-1) ?? '' }
}

const header = `import { before, describe, test } from 'node:test'\n`
const passing = `${header}test('passes', () => {})`

test('all groups are run and counted together, processes after units and beside databases', (t) => {
  const files = `${header}import { existsSync, writeFileSync } from 'node:fs'\n`
  const { status, output, counts } = run(t, {
    'framework/src/base/a.test.ts': `${files}test('unit', () => writeFileSync('unit', ''))`,
    'framework/src/base/b.test.ts': `${header}describe('two', () => { test('x', () => {}); test('y', () => {}) })`,
    'framework/tests/process/c.test.ts': `${files}test('after the units', () => {
      if (!existsSync('unit')) throw new Error('too early')
      writeFileSync('process', '')
    })`,
    'framework/tests/databases/g.test.ts': `${files}test('beside the processes', async () => {
      while (!existsSync('process')) await new Promise((resolve) => setTimeout(resolve, 10))
    })`,
    'demo/tests/d.test.ts': passing,
    'demo/node_modules/other/e.test.ts': 'throw new Error()',
    'framework/tests/.tmp-1/f.test.ts': 'throw new Error()',
  })
  assert.equal(counts, '6 passed, 0 failed, 0 skipped')
  assert.match(output, /^unit: 2 files, order --seed \d+$/m)
  assert.match(output, /^databases: 1 files$/m)
  assert.match(output, /^processes: 1 files$/m)
  assert.match(output, /^demo: 1 files$/m)
  assert.equal(status, 0)
})

test('unit tests, database tests, rules and those of the demo share a process, the others do not', (t) => {
  const tell = `${header}test('a', () => { console.log('ran in', process.pid) })`
  const processes = (folder: string, more: Record<string, string> = {}): number => {
    const files = { [`${folder}/a.test.ts`]: tell, [`${folder}/b.test.ts`]: tell, ...more }
    const told = run(t, files).output.match(/ran in \d+/g) ?? []
    assert.equal(told.length, 2)
    return new Set(told).size
  }
  assert.equal(processes('framework/src'), 1)
  assert.equal(processes('framework/tests/databases'), 1)
  assert.equal(processes('demo/tests'), 1)
  const modules = { 'framework/tests/package/a.ts': '', 'framework/tests/package/b.ts': '' }
  assert.equal(processes('framework/tests/package', modules), 1)
  assert.equal(processes('framework/tests/package'), 2)
})

test('a hash has its full cost in unit tests, and is cheap in all others and in what they start', (t) => {
  const cost = `import { argon2, randomBytes } from 'node:crypto'
    const nonce = randomBytes(16)
    const message = Buffer.from('a')
    const cost = { memory: 19456, passes: 2, parallelism: 1, tagLength: 32 }
    const before = process.cpuUsage()
    argon2('argon2id', { message, nonce, ...cost }, () => {
      const { user } = process.cpuUsage(before)
      console.log(user < 20_000 ? 'a cheap hash' : 'a hash')
    })`
  const starts = `${header}import { spawnSync } from 'node:child_process'
    test('a', () => console.log(spawnSync(process.execPath, ['cost.mjs'], { encoding: 'utf8' }).stdout))`
  const told = (folder: string): string | undefined =>
    /^a .*hash$/m.exec(run(t, { 'cost.mjs': cost, [`${folder}/a.test.ts`]: starts }).output)?.[0]
  assert.equal(told('framework/src'), 'a hash')
  for (const folder of ['framework/tests/databases', 'framework/tests/process', 'demo/tests']) {
    assert.equal(told(folder), 'a cheap hash')
  }
})

test('concurrent groups report one after the other', (t) => {
  const root = plantTree(t, {
    'framework/src/a.test.ts': `${header}import { existsSync } from 'node:fs'
      test('a', async () => {
        while (!existsSync('told')) await new Promise((resolve) => setTimeout(resolve, 10))
        console.log('unit tells')
      })`,
    'framework/tests/databases/b.test.ts': `${header}import { writeFileSync } from 'node:fs'
      test('b', () => {
        console.log('database tells')
        writeFileSync('told', '')
      })`,
  })
  const { output } = runIn(root, {})
  const order = /^unit: 1 files[^]*^unit tells$[^]*^databases: 1 files$[^]*^database tells$/m
  assert.match(output, order)
})

test('a process left behind by a test does not keep the run from ending', (t) => {
  const leave = `${header}import { spawn } from 'node:child_process'
    test('x', () => {
      const left = spawn('sleep', ['600'], { detached: true, stdio: 'inherit' })
      left.unref()
      console.log('left', left.pid)
    })`
  const { counts, output } = run(t, {
    'framework/tests/databases/a.test.ts': leave,
    'framework/tests/b.test.ts': passing,
  })
  assert.equal(counts, '2 passed, 0 failed, 0 skipped')
  // Throws if the process is gone.
  process.kill(Number(/^left (\d+)$/m.exec(output)?.[1]), 'SIGKILL')
})

test('--busy runs loops beside the tests and stops them afterwards', (t) => {
  const look = `${header}import { commandLine, runningProcesses } from '${processes}'
    const isBusy = ({ pid, parent, state }) =>
      parent === process.ppid && state === 'R' && commandLine(pid).includes('while (process.ppid')
    test('x', async () => {
      let busy = []
      do {
        busy = runningProcesses().filter(isBusy).map(({ pid }) => pid)
        await new Promise((resolve) => setTimeout(resolve, 10))
      } while (busy.length < 2)
      console.log('busy', JSON.stringify(busy))
    })`
  const { counts, output } = run(t, { 'framework/src/a.test.ts': look }, '--busy', '2')
  assert.equal(counts, '1 passed, 0 failed, 0 skipped')
  const busy: number[] = JSON.parse(/^busy (.*)$/m.exec(output)?.[1] ?? '')
  assert.equal(busy.length, 2)
  assert.deepEqual(
    runningProcesses().filter(({ pid }) => busy.includes(pid)),
    [],
  )
})

test('the same seed gives the same order, and another seed another one', (t) => {
  const names = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight']
  const files = names.map((name) => [
    `framework/src/${name}.test.ts`,
    `${header}test('${name}', () => { console.log('ran ${name}') })`,
  ])
  const root = plantTree(t, Object.fromEntries(files))
  const order = (seed: string): string =>
    runIn(root, {}, '--seed', seed)
      .output.match(/^ran \w+$/gm)
      ?.join() ?? ''
  const [first, again, other] = [order('7'), order('7'), order('8')]
  assert.equal(first.split(',').length, names.length)
  assert.equal(first, again)
  assert.notEqual(first, other)
})

test('a filter is a group or part of a path', (t) => {
  const root = plantTree(t, {
    'framework/src/base/a.test.ts': passing,
    'framework/src/web/b.test.ts': passing,
    'framework/tests/package/c.test.ts': passing,
    'framework/tests/databases/d.test.ts': passing,
  })
  const count = (...filters: string[]): string => runIn(root, {}, ...filters).counts.slice(0, 8)
  assert.equal(count('unit'), '2 passed')
  assert.equal(count('package'), '1 passed')
  assert.equal(count('src/web'), '1 passed')
  assert.equal(count('databases'), '1 passed')
  assert.equal(count('unit', 'package'), '3 passed')
})

test('nothing to run is a failure', (t) => {
  const { status, output, counts } = run(t, { 'framework/src/a.test.ts': passing }, 'mistyped')
  assert.equal(counts, '0 passed, 0 failed, 0 skipped')
  assert.match(output, /NOTHING RAN/)
  assert.equal(status, 1)
})

test('each skip and todo is listed with its reason, and fails the run only on request', (t) => {
  const root = plantTree(t, {
    'framework/src/a.test.ts': `${header}
      test('no browser', { skip: 'no browser here' }, () => {})
      test('later', (t) => { t.skip('decided late') })
      test('bare', { skip: true }, () => {})
      test('planned', { todo: 'next week' }, () => { throw new Error() })
      test('passes', () => {})`,
  })
  const free = runIn(root, {})
  assert.equal(free.counts, '1 passed, 0 failed, 4 skipped')
  assert.equal(free.status, 0)
  for (const line of [
    /^SKIPPED framework\/src\/a\.test\.ts:3 no browser\n +no browser here$/m,
    /^SKIPPED framework\/src\/a\.test\.ts:4 later\n +decided late$/m,
    /^SKIPPED framework\/src\/a\.test\.ts:5 bare\n +no reason given$/m,
    /^SKIPPED framework\/src\/a\.test\.ts:6 planned\n +todo: next week$/m,
  ]) {
    assert.match(free.output, line)
  }
  const strict = runIn(root, { FRAMEWORK_NO_SKIPS: '1' })
  assert.equal(strict.counts, free.counts)
  assert.equal(strict.status, 1)
})

for (const group of ['framework/src', 'framework/tests', 'framework/tests/databases']) {
  test(`every way a test or its file can fail is counted and named, in ${group}`, (t) => {
    const broken = {
      throws: `test('throws', () => { throw new Error('no') })`,
      subtest: `test('parent', (t) => t.test('subtest', () => { throw new Error('no') }))`,
      hook: `describe('hook', () => { before(() => { throw new Error('no') }); test('y', () => {}) })`,
      load: `throw new Error('no')`,
      parse: `test('parse' () => {})`,
      empty: 'export {}',
    }
    const files = Object.entries(broken).map(([name, source]) => [
      `${group}/${name}.test.ts`,
      header + source,
    ])
    const { output, counts, status } = run(t, {
      [`${group}/passing.test.ts`]: passing,
      ...Object.fromEntries(files),
    })
    const named = output.matchAll(/^FAILED \S+?(\w+)\.test\.ts/gm).map(([, name]) => name)
    assert.deepEqual(new Set(named), new Set(Object.keys(broken)), output)
    // The parent of a failed subtest is not counted again, nor is the file.
    assert.doesNotMatch(output, /^FAILED .* parent$/m)
    assert.match(counts, /^1 passed, \d failed, 0 skipped$/)
    assert.equal(status, 1)
  })

  for (const [what, source] of [
    ['a test that exits with success', `test('x', () => { process.exit(0) })`],
    ['an error that comes late', `test('x', () => { setTimeout(() => { throw new Error() }) })`],
    ['a rejection nobody handles', `test('x', () => { Promise.reject(new Error()) })`],
  ] as const) {
    test(`${what} fails the run, in ${group}`, (t) => {
      const wait = `test('waits', () => new Promise((resolve) => setTimeout(resolve, 50)))`
      const { output, counts, status } = run(t, {
        [`${group}/a.test.ts`]: `${header}${source}\n${wait}`,
      })
      assert.match(counts, /^\d passed, 1 failed, 0 skipped$/, output)
      assert.equal(status, 1)
    })
  }

  test(`a run that hangs is ended and fails, in ${group}`, (t) => {
    const leak = `${header}test('x', () => { setInterval(() => {}, 1000) })`
    const result = run(t, { [`${group}/a.test.ts`]: leak }, '--silence', '1')
    assert.equal(result.status, 1)
    assert.match(result.output, /nothing ended for 1 s: a test hangs, or left/)
  })
}

test('the files that use the CPU most are listed, whatever time they took', (t) => {
  const names = Array.from({ length: 16 }, (_, at) => `tests/${at}.test.ts`)
  const root = plantTree(t, {
    'shared/cpu.jsonl': names
      .slice(1)
      .map((name, at) => JSON.stringify({ file: join('/root', name), cpuMs: 1000 * at }))
      .join('\n'),
  })
  const { text } = summarize(
    names.map((file) => ({ kind: 'timed', file, durationMs: 500 })),
    { skipsFail: false, missing: [], cpuMs: readCpu('/root', join(root, 'shared')) },
  )
  const [first, second] = text.split('\n').slice(2)
  assert.equal(first, '   14.0 s     0.5 s  tests/15.test.ts')
  assert.equal(second, '   13.0 s     0.5 s  tests/14.test.ts')
  // What is not known counts as busy all the time.
  assert.match(text, /^ {4}0\.5 s {5}0\.5 s {2}tests\/0\.test\.ts$/m)
  assert.doesNotMatch(text, /tests\/1\.test\.ts/)
  assert.match(text, /^ {2}105\.0 s of the CPU in 15 files$/m)
})
