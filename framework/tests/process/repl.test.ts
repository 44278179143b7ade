import assert from 'node:assert/strict'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { RunningCommand, runCommand } from '../support/command.ts'
import { plantProject } from '../support/plant-project.ts'

const files = {
  'project.ts': `import { appendFileSync } from 'node:fs'
    import { join } from 'node:path'
    import { setTimeout } from 'node:timers/promises'
    import { defineProject } from 'framework'
    import type { Boot } from 'framework'
    const services = ({ root }: Boot) => ({
      shop: { count: (shelf: number) => setTimeout(20, shelf * 2), isTime: (at: unknown) => at instanceof Date },
      crypto: 'mine',
      closing: { close: () => appendFileSync(join(root, 'notes'), 'closed') },
    })
    export default defineProject({ name: 'shop', services, routes: [] })`,
}

const closed = (cwd: string): string => readFileSync(join(cwd, 'notes'), 'utf8')

test('what is piped in is evaluated line by line with the services in scope, which are closed', async (t) => {
  const cwd = plantProject(t, files)
  const input = `const n = await shop.count(20)
function add(m) {
  return n + m
}

add(2)
shop.isTime(new Date())
[services.crypto, typeof crypto.subtle]
const { sql } = await import('framework/database')
typeof sql
logs.channel('repl').info('done')
configs`
  const { status, stdout, stderr } = await runCommand(t, ['repl'], { cwd, input })
  assert.deepEqual([status, stdout], [0, "42\ntrue\n[ 'mine', 'object' ]\n'function'\n{}\n"])
  assert.match(stderr, /^\{.*"message":"done".*\}\n$/)
  assert.equal(closed(cwd), 'closed')
})

test('a line that fails ends it, with status 1', async (t) => {
  for (const line of [
    "throw new Error('no stock')",
    "await shop.count(1).then(() => Promise.reject(new Error('no stock')))",
  ]) {
    const cwd = plantProject(t, files)
    const input = `1\n${line}\n2\n`
    const { status, stdout } = await runCommand(t, ['repl'], { cwd, input })
    assert.equal(status, 1)
    assert.match(stdout, /^1\nUncaught Error: no stock\n/)
    assert.doesNotMatch(stdout, /^2$/m)
    assert.equal(closed(cwd), 'closed')
  }
})

test('SIGTERM ends it, whatever it waits for, and the services are closed', async (t) => {
  const cwd = plantProject(t, files)
  const input = "console.log('waiting'); setInterval(() => {}, 1000); await new Promise(() => {})\n"
  const command = new RunningCommand(t, ['repl'], { cwd, input })
  await command.said(/waiting/)
  assert.equal(await command.stop(), 1)
  assert.equal(closed(cwd), 'closed')
})

test('on a terminal it keeps a history that nobody else can read', async (t) => {
  const cwd = plantProject(t, files)
  const source = join(import.meta.dirname, '..', '..', 'src')
  const code = `
    import { openProject } from '${source}/project/start/open-project.ts'
    import { replCommand } from '${source}/console/repl-command.ts'
    const project = await openProject({ root: '.', environment: 'test', channel: 'repl', output: process.stderr })
    process.exitCode = await replCommand(project, '.', { interactive: true })
    await project.close()`
  const program = ['--conditions=source', '--input-type=module', '--eval', code]
  const input = 'await shop.count(21)\nthrow new Error()\n.exit\n'
  const { status, stdout } = await runCommand(t, [], { cwd, program, input })
  assert.equal(status, 0)
  assert.match(stdout, /shop test> /)
  assert.match(stdout, /42/)
  assert.equal(closed(cwd), 'closed')
  const history = join(cwd, 'storage', 'repl-history')
  assert.match(readFileSync(history, 'utf8'), /await shop\.count\(21\)/)
  assert.equal(statSync(history).mode & 0o777, 0o600)
  assert.equal(statSync(join(cwd, 'storage')).mode & 0o777, 0o700)
})
