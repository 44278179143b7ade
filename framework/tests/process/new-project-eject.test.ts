import assert from 'node:assert/strict'
import { cpSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { TestContext } from 'node:test'
import { starters } from '../../src/console/new/choices.ts'
import { RunningCommand, runCommand } from '../support/command.ts'
import { MatrixVisitor } from './demo-matrix-visitor.ts'
import { assertStarts, assertTypes } from './new-project-checks.ts'
import { Workshop } from './new-project-workshop.ts'

const workshop = new Workshop()
before(() => workshop.prepare(), { timeout: 400_000 })
after(() => workshop.remove())

const starter = starters['auth'] ?? assert.fail()
const login = 'views/accounts/login.template.html'
const forgot = 'views/accounts/forgot.template.html'

/** Replaces a text that a file has exactly once. */
function edit(file: string, from: string, to: string): void {
  const parts = readFileSync(file, 'utf8').split(from)
  assert.equal(parts.length, 2, `${file} has ${from}`)
  writeFileSync(file, parts.join(to))
}

/** The texts of a project's own files. */
function filesOf(app: string): ReadonlyMap<string, string> {
  const found = globSync(['**/*', '**/.*', '.github/**/*'], { cwd: app, withFileTypes: true })
  const paths = found
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(app.length + 1))
    .filter((path) => !/^(?:node_modules|storage)\//.test(path))
  return new Map(paths.map((path) => [path, readFileSync(join(app, path), 'utf8')]))
}

/** What a served project shows on two pages, and says to a wrong password. */
async function visit(
  t: TestContext,
  cwd: string,
  program: readonly string[],
): Promise<{ readonly login: string; readonly register: string; readonly refusal: string }> {
  const server = new RunningCommand(t, ['serve', '--port', '0'], { cwd, program })
  const visitor = new MatrixVisitor(await server.url())
  const { text: loginPage } = await visitor.get('/login')
  const { text: register } = await visitor.get('/register')
  const fields = { email: 'member@example.com', password: 'let me see nothing' }
  assert.equal(await visitor.submit('/login', fields), '303 /login')
  const { text: refused } = await visitor.get('/login')
  assert.equal(await server.stop(), 0, server.stderr)
  const [refusal = ''] = /Invalid credentials[^<\n]*/.exec(refused) ?? []
  return { login: loginPage, register, refusal }
}

test('an update of the package reaches what the project has not copied, and says which copy is older', async (t) => {
  const app = workshop.assemble({ starter })
  const installed = join(app, 'node_modules', 'framework')
  cpSync(join(workshop.folder, 'node_modules', 'framework'), installed, { recursive: true })
  const program = [join(installed, 'bin', 'framework.js')]
  const eject = (...words: string[]) => runCommand(t, ['eject', ...words], { cwd: app, program })

  assert.equal((await eject('accounts/login')).stdout, `${login}\n`)
  assert.equal((await eject('accounts/forgot')).stdout, `${forgot}\n`)
  edit(join(app, login), 'Good to see you again.', 'Our shop is yours.')
  const current = await eject('--status')
  assert.equal(current.status, 0)
  assert.equal(current.stdout, `current  ${forgot}\ncurrent  ${login}\n`)
  const before = await visit(t, app, program)
  assert.match(before.login, /Our shop is yours\./)
  assert.equal(before.refusal, 'Invalid credentials.')
  const own = filesOf(app)

  const module = join(installed, 'dist', 'accounts', 'module')
  edit(join(module, 'routes', 'login.js'), 'Invalid credentials.', 'Invalid credentials; mended.')
  edit(join(module, login), "<h1><%= t('Sign in') %></h1>", '<h1>Sign in safely</h1>')
  const register = join(module, 'views', 'accounts', 'register.template.html')
  edit(register, "<h1><%= t('Create account') %></h1>", '<h1>Create account safely</h1>')

  const updated = await visit(t, app, program)
  assert.equal(updated.refusal, 'Invalid credentials; mended.')
  assert.match(updated.login, /<h1>Sign in<\/h1>\s+<p class="lead">Our shop is yours\./)
  assert.match(updated.register, /<h1>Create account safely<\/h1>/)
  assert.deepEqual(filesOf(app), own)

  const { status, stdout } = await eject('--status')
  assert.equal(status, 1)
  assert.deepEqual(stdout.match(/^\w+ {2}\S+$/gm), [`current  ${forgot}`, `older  ${login}`])
  assert.deepEqual(stdout.match(/^ {4}[+-].*$/gm), [
    "    -          <h1><%= t('Sign in') %></h1>",
    '    +          <h1>Sign in safely</h1>',
  ])

  // Its owner has taken over what is wanted.
  assert.equal((await eject('accounts/login', '--keep')).status, 0)
  assert.equal((await eject('--status')).stdout, current.stdout)
  assert.match(readFileSync(join(app, login), 'utf8'), /Our shop is yours\./)
})

test('a project with all of accounts as its own type-checks, starts and passes its tests', async (t) => {
  const app = workshop.assemble({ starter })
  const { program } = workshop
  const ejected = await runCommand(t, ['eject', 'accounts'], { cwd: app, program })
  assert.equal(ejected.status, 0, ejected.stderr)
  const [, from = ''] = /from '(\.[^']+)'/.exec(ejected.stdout) ?? []
  edit(join(app, 'accounts.ts'), `'framework/accounts'`, `'${from}'`)
  // These are served, and nothing else.
  const own = join(app, 'accounts')
  edit(join(own, login), 'Good to see you again.', 'Our shop is yours.')
  edit(join(own, 'routes', 'login.ts'), 'Invalid credentials.', 'Invalid credentials, sorry.')
  await assertTypes(t, app)
  await assertStarts(t, app, program)
  const seen = await visit(t, app, program)
  assert.match(seen.login, /Our shop is yours\./)
  assert.equal(seen.refusal, 'Invalid credentials, sorry.')

  const status = await runCommand(t, ['eject', '--status'], { cwd: app, program })
  assert.equal(status.status, 0, status.stdout)
  assert.equal(status.stdout.match(/^current {2}accounts\/.+$/gm)?.length, ejectedFiles(ejected))
})

function ejectedFiles({ stdout }: { readonly stdout: string }): number | undefined {
  return stdout.match(/^accounts\/.+$/gm)?.length
}
