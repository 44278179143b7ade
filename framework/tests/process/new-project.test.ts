import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { RunningCommand, runCommand } from '../support/command.ts'
import { install, tarballOf, tsc } from './new-project-workshop.ts'

/** A folder for the projects of this file. */
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'framework-new-test-')))
after(() => rmSync(folder, { recursive: true, force: true }))
const temporary = join(folder, 'tmp')
mkdirSync(temporary)

// Once for all tests, because the framework is built and packed from its sources.
const made = await runCommand({ after }, ['new', 'my shop', '--name', 'shop'], {
  cwd: folder,
  env: { TMPDIR: temporary },
})
assert.equal(made.status, 0, made.stderr)
const app = join(folder, 'my shop')
const names = readdirSync(app)
/** The framework command of the project, to be run by Node. */
const program = [install(app, join(app, 'vendor', tarballOf(app)))]

test('new creates a project that serves, passes a test and the type check', async (t) => {
  assert.match(
    made.stdout,
    /^shop is ready\. Next:\n\n {2}cd 'my shop'\n {2}npm install\n {2}npm start\n/,
  )
  for (const name of ['.gitignore', '.env.example', 'README.md', 'tsconfig.json', 'tests']) {
    assert.ok(names.includes(name), name)
  }
  for (const name of ['gitignore', 'node_modules', 'package-lock.json', 'storage']) {
    assert.ok(!names.includes(name), name)
  }
  const manifest = JSON.parse(readFileSync(join(app, 'package.json'), 'utf8'))
  assert.equal(manifest.name, 'shop')
  const tarball = tarballOf(app)
  assert.match(tarball, /^framework-\d/)
  assert.deepEqual(readdirSync(join(app, 'vendor')), [tarball])
  const left = readdirSync(temporary).filter((name) => name.startsWith('framework'))
  assert.deepEqual(left, [], 'what was built and packed is removed')

  assert.equal(readFileSync(join(app, '.env'), 'utf8'), 'FRAMEWORK_ENVIRONMENT=development\n')

  const migrated = await runCommand(t, ['migrate'], { cwd: app, program })
  assert.equal(migrated.status, 0, migrated.stderr)
  const env = { APP_KEY: randomBytes(32).toString('hex') }
  const server = new RunningCommand(t, ['serve', '--port', '0'], { cwd: app, program, env })
  const url = await server.url()
  assert.equal((await fetch(url)).status, 200)
  assert.match(server.stdout, /^shop serves /)
  assert.equal(await server.stop(), 0)

  const tests = await runCommand(t, ['tests/members.test.ts'], { cwd: app, program: ['--test'] })
  assert.equal(tests.status, 0, tests.stdout)
  const types = await runCommand(t, [], { cwd: app, program: [tsc, '--noEmit'] })
  assert.equal(types.status, 0, types.stdout)
})

test('the command of a project creates another, --force in a folder with files', async (t) => {
  const cwd = join(folder, 'another')
  mkdirSync(cwd)
  writeFileSync(join(cwd, 'notes.txt'), 'mine')
  writeFileSync(join(cwd, '.env'), 'MINE=1')
  const flags = ['--name', 'shop', '--force', '--database', 'postgres']
  const another = await runCommand(t, ['new', '.', ...flags], { cwd, program })
  assert.equal(another.status, 0, another.stderr)
  assert.doesNotMatch(another.stdout, /cd /)
  assert.match(another.stdout, /Set DATABASE_URL in \.env first\.\n/)
  assert.equal(readFileSync(join(cwd, 'notes.txt'), 'utf8'), 'mine')
  assert.equal(readFileSync(join(cwd, '.env'), 'utf8'), 'MINE=1')
  const { dependencies } = JSON.parse(readFileSync(join(cwd, 'package.json'), 'utf8'))
  assert.ok(dependencies.pg)

  assert.deepEqual(readdirSync(cwd).toSorted(), [...names, 'notes.txt'].toSorted())
})

test('if npm fails nothing is left behind', async (t) => {
  const cwd = join(folder, 'failing')
  mkdirSync(cwd)
  const bin = join(cwd, 'bin')
  mkdirSync(bin)
  writeFileSync(join(bin, 'npm'), '#!/bin/sh\necho no space left >&2\nexit 1\n')
  chmodSync(join(bin, 'npm'), 0o755)
  const env = { PATH: `${bin}:${process.env['PATH'] ?? ''}`, TMPDIR: join(cwd, 'tmp') }
  mkdirSync(env.TMPDIR)
  const failed = await runCommand(t, ['new', 'deep/shop'], { cwd, program, env })
  assert.equal(failed.status, 1)
  assert.match(failed.stderr, /^error npm failed: no space left \[E_NEW\]\n$/)
  assert.ok(!existsSync(join(cwd, 'deep')))
  assert.deepEqual(readdirSync(env.TMPDIR), [])
})
