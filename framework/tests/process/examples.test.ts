import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { test } from 'node:test'

const folder = join(import.meta.dirname, '../../../examples')
const expectation = /^\/\/ (GET|POST) (\S+)\s+→ (\d{3})(?: (.+))?$/gm

for (const name of (await readdir(folder)).filter((file) => file.endsWith('.ts'))) {
  test(`examples/${name} responds as its header comment says`, async () => {
    const source = await readFile(join(folder, name), 'utf8')
    const expected = [...source.matchAll(expectation)]
    assert.ok(expected.length > 0, 'the head of an example lists what it answers')

    const child = spawn(process.execPath, ['--conditions=source', join(folder, name)], {
      env: { ...process.env, PORT: '0' },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    try {
      const [url] = await once(createInterface(child.stdout), 'line')
      for (const [, method, path, status, body = ''] of expected) {
        const answer = await fetch(`${url}${path}`, method === undefined ? {} : { method })
        assert.equal(`${path} ${answer.status}`, `${path} ${status}`)
        assert.ok((await answer.text()).startsWith(body), `${path} starts with ${body}`)
      }
    } finally {
      const exit = once(child, 'exit')
      child.kill('SIGTERM')
      assert.deepEqual(await exit, [0, null], 'SIGTERM ends it with status 0')
    }
  })
}
