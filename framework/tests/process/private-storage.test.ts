import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { RunningCommand } from '../support/command.ts'
import { freePort } from '../support/free-port.ts'
import { plantDemo } from '../support/plant-demo.ts'
import { waitFor } from '../support/wait-for.ts'

/** The permissions of everything in a folder, by path. */
function modesIn(folder: string): Map<string, number> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  // Node creates the folders of compiled code; nobody can reach them through the one above.
  const own = names.filter((name) => !/^cache.compiled./.test(name))
  return new Map(
    own.flatMap((name) => {
      const found = statSync(join(folder, name), { throwIfNoEntry: false })
      return found === undefined ? [] : [[name, found.mode & 0o777]]
    }),
  )
}

/** What a file or folder of the storage may be, at most. */
function allowed(name: string, folder: string): number {
  if (statSync(join(folder, name), { throwIfNoEntry: false })?.isDirectory() === true) return 0o700
  return /^logs.[^.]+\.log/.test(name) ? 0o640 : 0o600
}

test('in development too, only the owner reads what a fleet stores, whatever the umask and the past', async (t) => {
  const umask = process.umask(0)
  t.after(() => process.umask(umask))
  const root = plantDemo(t)
  const storage = join(root, 'storage')
  for (const folder of ['exports', 'logs', 'mails', 'reports', 'observability', 'tls']) {
    mkdirSync(join(storage, folder), { recursive: true })
    writeFileSync(join(storage, folder, 'before.log'), '{}\n')
  }
  for (const [name] of modesIn(storage)) chmodSync(join(storage, name), 0o777)
  chmodSync(storage, 0o777)

  const command = new RunningCommand(t, ['serve', '--environment', 'development'], {
    cwd: root,
    env: { PORT: String(await freePort()), WORKERS: '2', LOG_FILE: '1' },
  })
  const url = await command.url()
  await fetch(`${url}/error`)
  await fetch(`${url}/metrics`)
  const expected = ['database.sqlite', 'database.sqlite-wal', 'app.key', 'logs/exceptions.log']
  const names = [...expected, 'observability/fleet.list', 'observability/fleet.lock']
  await waitFor('the files', () => names.every((name) => modesIn(storage).has(name)))

  assert.equal(statSync(storage).mode & 0o777, 0o700)
  const open = [...modesIn(storage)].filter(
    ([name, mode]) => (mode & ~allowed(name, storage)) !== 0,
  )
  assert.deepEqual(open, [])
  assert.ok([...modesIn(storage).keys()].some((name) => /worker-\d+-\d+\.json$/.test(name)))
  await command.stop()
})
