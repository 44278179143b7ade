import assert from 'node:assert/strict'
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { realpathSync, writeFileSync } from 'node:fs'
import { spawnSync } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { RunningCommand, runCommand } from '../support/command.ts'
import type { CommandOptions } from '../support/command.ts'
import { plantDemo } from '../support/plant-demo.ts'

/** An obstacle to writing below a path, and the user it applies to. */
interface Obstacle {
  readonly name: string
  readonly reason: RegExp
  readonly options: Pick<CommandOptions, 'user'>
  /** The number of workers for the site: a different one for each obstacle. */
  readonly workers: string
  /** Makes the path unwritable. */
  put(path: string): void
}

const isRoot = process.getuid?.() === 0
const nobody = { uid: 65_534, gid: 65_534 }

/** Root may write everywhere, so the user nobody is used, if it may read the checkout. */
function mayReadCheckout(): boolean {
  const read = ['--eval', `require('node:fs').readdirSync(${JSON.stringify(import.meta.dirname)})`]
  return spawnSync(process.execPath, read, { ...nobody, cwd: '/' }).status === 0
}

const obstacles: readonly Obstacle[] = [
  {
    name: 'a file in its place',
    reason: /cannot be written to, a file is where a folder should be \((ENOTDIR|EEXIST)\)/,
    options: {},
    workers: '2',
    put: (path) => writeFileSync(path, ''),
  },
  ...(isRoot && !mayReadCheckout()
    ? []
    : [
        {
          name: 'rights that somebody else has',
          reason: /cannot be written to, this user \(uid \d+\) lacks the permission \(EACCES\)/,
          options: isRoot ? { user: nobody } : {},
          workers: '1',
          put: (path: string) => {
            mkdirSync(path)
            chmodSync(path, 0o555)
          },
        },
      ]),
]

function emptyFolder(t: TestContext): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'framework-unwritable-')))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  if (isRoot) chownSync(folder, nobody.uid, nobody.gid)
  return folder
}

/** A copy of the demo whose storage cannot be written to. */
function plantSite(t: TestContext, obstacle: Obstacle): string {
  const site = plantDemo(t)
  chmodSync(site, 0o755)
  obstacle.put(join(site, 'storage'))
  return site
}

for (const obstacle of obstacles) {
  const { name, reason, options, workers } = obstacle

  test(`a new project in a folder with ${name} is refused before anything is created`, async (t) => {
    const cwd = emptyFolder(t)
    obstacle.put(join(cwd, 'taken'))
    for (const folder of ['taken/app', 'taken/deep/app']) {
      const refused = await runCommand(t, ['new', folder], { cwd, ...options })
      assert.deepEqual([refused.status, refused.stdout], [1, ''])
      assert.match(refused.stderr, reason)
      assert.match(refused.stderr, /, or choose another folder \[E_NEW\]\n$/)
      assert.ok(refused.stderr.includes(` ${join(cwd, 'taken')} cannot`), refused.stderr)
      assert.equal(refused.stderr.trim().split('\n').length, 1, refused.stderr)
    }
    assert.deepEqual(readdirSync(cwd, { recursive: true }), ['taken'])
  })

  test(`a storage with ${name} is an error when the SQLite file in it is opened`, async (t) => {
    const cwd = plantSite(t, obstacle)
    for (const [line, code] of [
      ['serve --port 0', 'E_DATABASE'],
      ['serve --port 0 --workers 2', 'E_WORKER_START'],
    ] as const) {
      const words = [...line.split(' '), '--environment', 'development']
      const { status, stderr } = await runCommand(t, words, { cwd, ...options })
      assert.equal(status, 1, stderr)
      // Workers may also print that they cannot write to their log.
      const error = stderr.split('\n').find((told) => told.startsWith('error ')) ?? ''
      assert.match(error, reason)
      assert.ok(error.includes(` ${join(cwd, 'storage')} cannot`), stderr)
      assert.ok(error.endsWith(`, or name another file in DATABASE_URL [${code}]`), stderr)
      assert.doesNotMatch(stderr, /^ +at /m)
    }
  })

  test(`a storage with ${name} is an error when the application key is to be stored there`, async (t) => {
    const cwd = plantSite(t, obstacle)
    const env = { DATABASE_URL: `sqlite:${join(emptyFolder(t), 'a.sqlite')}` }
    const words = ['serve', '--port', '0', '--environment', 'development']
    const { status, stderr } = await runCommand(t, words, { cwd, env, ...options })
    assert.equal(status, 1, stderr)
    assert.match(stderr, reason)
    assert.match(stderr, /, or set APP_KEY \[E_APP_KEY\]\n$/)
    assert.equal(stderr.trim().split('\n').length, 1, stderr)
  })

  test(`a site whose storage has ${name} serves, and says what it cannot store`, async (t) => {
    const cwd = plantSite(t, obstacle)
    const env = {
      DATABASE_URL: `sqlite:${join(emptyFolder(t), 'a.sqlite')}`,
      APP_KEY: 'c0ffee'.padEnd(64, '0123456789abcdef'),
      WORKERS: workers,
    }
    const words = ['serve', '--port', '0', '--environment', 'development']
    const server = new RunningCommand(t, words, { cwd, env, ...options })
    assert.equal((await fetch(await server.url())).status, 200)
    await server.said(/log sink \S+exceptions\.log drops lines: \S+storage cannot be written to/)
    const [told = ''] = await server.said(/"level":"ERROR","channel":"[^"]+","message":"([^"]+)"/)
    assert.match(told, reason)
    assert.match(told, /, or set FRAMEWORK_OBSERVABILITY_DIR to another folder$/)
    await server.said(/no diagnostic report can be left.*storage cannot be written to/)
    assert.equal(await server.stop(), 0)
    assert.doesNotMatch(server.stderr, /^ +at /m)
  })
}
