import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join, matchesGlob, relative } from 'node:path'
import { after, before, test } from 'node:test'
import { RunningCommand, runCommand } from '../support/command.ts'
import { freePort } from '../support/free-port.ts'
import { Workshop } from './new-project-workshop.ts'

const workshop = new Workshop()
let app = ''
before(() => {
  workshop.link()
  app = workshop.assemble()
  mkdirSync(join(app, 'vendor'))
})
after(() => workshop.remove())

interface Instruction {
  readonly word: string
  readonly rest: string
}

/** The instructions of a Dockerfile by stage, without comments and with continued lines joined. */
function stages(): Instruction[][] {
  const text = readFileSync(join(app, 'Dockerfile'), 'utf8')
  const lines = text
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
  const found: Instruction[][] = []
  for (const line of lines.filter((one) => one !== '')) {
    const [, word = '', rest = ''] = /^([A-Z]+) (.*)$/.exec(line) ?? assert.fail(line)
    if (word === 'FROM') found.push([])
    found.at(-1)?.push({ word, rest })
  }
  return found
}

function only(stage: readonly Instruction[], word: string): string {
  const [first, ...more] = stage.filter((instruction) => instruction.word === word)
  assert.deepEqual(more, [])
  return first?.rest ?? assert.fail(`no ${word}`)
}

function ignored(path: string): boolean {
  const patterns = readFileSync(join(app, '.dockerignore'), 'utf8').split('\n')
  return patterns.some((pattern) => pattern !== '' && matchesGlob(path, pattern))
}

test('the image has two stages on one Node, and runs as an unprivileged user', () => {
  const [packages = [], image = [], ...more] = stages()
  assert.deepEqual(more, [])
  const [base] = only(packages, 'FROM').split(' ')
  assert.match(base ?? '', /^node:24-/)
  assert.equal(only(image, 'FROM'), base)
  assert.equal(only(image, 'USER'), 'node')
  const afterUser = image.slice(image.findIndex(({ word }) => word === 'USER'))
  assert.deepEqual(
    afterUser.filter(({ word }) => ['RUN', 'COPY', 'ADD'].includes(word)),
    [],
  )
  assert.match(only(packages, 'RUN'), /^npm ci .*--omit=dev/)
})

test('everything the image copies exists, without secrets', () => {
  for (const { rest } of stages()
    .flat()
    .filter(({ word }) => word === 'COPY')) {
    if (rest.startsWith('--from=') || rest === '. .') continue
    const sources = rest.split(' ').slice(0, -1)
    for (const source of sources.filter((name) => name !== 'package-lock.json')) {
      assert.ok(existsSync(join(app, source)) && !ignored(source), source)
    }
  }
  for (const path of ['.env', '.env.production', 'storage', 'node_modules', '.git']) {
    assert.ok(ignored(path), path)
  }
})

test('the files of the image serve in production with its own command: its health check works, and cookies are bound to the host', async (t) => {
  const image = join(workshop.folder, 'image')
  cpSync(app, image, {
    recursive: true,
    filter: (path) => path === app || !ignored(relative(app, path)),
  })
  mkdirSync(join(image, 'storage'))
  symlinkSync(join(workshop.folder, 'node_modules'), join(image, 'node_modules'))
  const [, last = []] = stages()
  const given = last.filter(({ word }) => word === 'ENV').map(({ rest }) => rest.split('='))
  const own = { PORT: String(await freePort()), APP_KEY: randomBytes(32).toString('hex') }
  const env = { ...Object.fromEntries(given), ...own }
  assert.equal(env['FRAMEWORK_ENVIRONMENT'], 'production')
  const [node, ...words] = JSON.parse(only(last, 'CMD'))
  assert.equal(node, 'node')
  const command = ['--conditions=source', ...words]
  const check: unknown[] = JSON.parse(only(last, 'HEALTHCHECK').replace(/^.*? CMD /, ''))
  const healthy = async (): Promise<number | string | null> => {
    const program = check.slice(1).map(String)
    return (await runCommand(t, [], { cwd: image, program, env })).status
  }

  const migrate = [...command.slice(0, -1), 'migrate']
  const migrated = await runCommand(t, [], { cwd: image, program: migrate, env })
  assert.equal(migrated.status, 0, migrated.stderr)
  const server = new RunningCommand(t, [], { cwd: image, program: command, env })
  await server.said(/ serves http:\S+ environment=production /)
  assert.equal(await healthy(), 0)
  const page = await fetch(`http://127.0.0.1:${own.PORT}/login`)
  assert.match(page.headers.get('set-cookie') ?? '', /^__Host-session=/)
  assert.equal(await server.stop(), 0)
  assert.equal(await healthy(), 1)
})

test('the CI workflow runs scripts that the project has', () => {
  const workflow = readFileSync(join(app, '.github', 'workflows', 'test.yml'), 'utf8')
  const { scripts } = JSON.parse(readFileSync(join(app, 'package.json'), 'utf8'))
  const commands = [...workflow.matchAll(/- run: (.+)$/gm)].map(([, command = '']) => command)
  assert.deepEqual(commands.slice(0, 3), ['npm ci', 'npm run typecheck', 'npm test'])
  for (const command of commands) {
    const [, script] = /^npm (?:run )?(\w+)$/.exec(command) ?? []
    if (script !== undefined && script !== 'ci') assert.ok(scripts[script], command)
  }
})
