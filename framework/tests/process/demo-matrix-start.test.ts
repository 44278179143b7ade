import assert from 'node:assert/strict'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, realpathSync } from 'node:fs'
import { rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { npmProgram } from '../package/npm.ts'
import { RunningCommand } from '../support/command.ts'
import { freePort } from '../support/free-port.ts'
import { liveWholeLife } from './demo-matrix-life.ts'
import { awaitIn, mailFiles } from './demo-matrix-site.ts'

const repository = join(import.meta.dirname, '..', '..', '..')
const parts = ['package.json', 'demo', 'framework']
const made = /[\\/](?:node_modules|demo[\\/]storage|dist|scaffold|tests|\.env)$/

/** A checkout right after `npm install`: nothing in it has run yet. */
function freshClone(t: TestContext): string {
  const clone = realpathSync(mkdtempSync(join(tmpdir(), 'framework-clone-')))
  t.after(() => rmSync(clone, { recursive: true, force: true, maxRetries: 10 }))
  for (const part of parts) {
    cpSync(join(repository, part), join(clone, part), {
      recursive: true,
      filter: (path) => !made.test(path),
    })
  }
  const installed = join(repository, 'node_modules')
  const modules = join(clone, 'node_modules')
  mkdirSync(modules)
  for (const name of readdirSync(installed)) {
    const place = parts.includes(name) ? join(clone, name) : join(installed, name)
    symlinkSync(place, join(modules, name))
  }
  return clone
}

test('npm start serves a fresh clone: an SQLite file, mails in files, a demo account', async (t) => {
  const cwd = freshClone(t)
  const port = await freePort()
  const site = `http://localhost:${port}`
  const env = { PORT: String(port) }
  const server = new RunningCommand(t, ['start'], { cwd, env, program: [npmProgram()] })
  const [pid] = await server.said(/ pid=(\d+)/)
  t.after(() => endsAnyway(Number(pid)))
  await liveWholeLife(site, awaitIn(mailFiles(join(cwd, 'demo'))))
  assert.match(server.stdout, /account="demo@example\.com \/ [^"]+"/)
  assert.match(server.stdout, /database=sqlite:\S+\/demo\/storage\/database\.sqlite /)
  assert.equal(await server.stop(), 0)
  await assert.rejects(fetch(site))
})

// A shell between npm and the server may not pass signals on.
function endsAnyway(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has already ended, as it should.
  }
}
