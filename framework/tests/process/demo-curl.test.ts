import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { shellBlocks } from '../package/code-blocks.ts'
import { RunningCommand } from '../support/command.ts'
import { curlMissing, withCurl } from '../support/curl.ts'
import { freePort } from '../support/free-port.ts'
import { oathtoolMissing } from '../support/oathtool.ts'
import { Workshop } from './new-project-workshop.ts'

const repository = join(import.meta.dirname, '..', '..', '..')
const guide = 'docs/start/accounts-with-curl.md'
const workshop = new Workshop()
after(() => workshop.remove())

test(
  'the commands of the curl guide print what it says',
  { skip: curlMissing || oathtoolMissing },
  async (t) => {
    const blocks = shellBlocks(repository).filter(({ page }) => page === guide)
    const read = blocks.filter(({ label }) => label === 'run').map(({ code }) => code)
    assert.ok(read.length > 1, `${guide} has blocks marked \`sh run\``)
    workshop.link()
    const app = workshop.assemble()
    symlinkSync(app, join(workshop.folder, 'demo'))
    const port = String(await freePort())
    const env = { PORT: port }
    const flags = ['serve', '--environment', 'development']
    const server = new RunningCommand(t, flags, { cwd: app, program: workshop.program, env })
    await server.url()

    // All in one shell, like a reader who pastes block after block.
    const script = read.join('\n').replaceAll('localhost:8087', `localhost:${port}`)
    const printed = [...script.matchAll(/^# → (.+)$/gm)].map(([, line = '']) => line)
    const { stdout, stderr } = await promisify(execFile)('sh', ['-c', withCurl(script)], {
      cwd: workshop.folder,
      env: { PATH: process.env['PATH'], TMPDIR: workshop.folder },
      timeout: 280_000,
    })
    const lines = stdout.trimEnd().split('\n')
    assert.deepEqual(
      lines.map((line) => line.trimEnd()),
      printed,
    )
    assert.equal(stderr, '')
    assert.equal(await server.stop(), 0, server.stderr)
  },
)
