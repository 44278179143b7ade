import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { recordingTerminal } from '../../../tests/support/recording-terminal.ts'
import { changedLines, ejectCommand } from './eject-command.ts'
import type { EjectFlags } from './eject-command.ts'

const verify = 'views/mails/verify.template.html'

interface Ran {
  readonly status: number
  readonly out: string
  readonly err: string
}

function project(t: TestContext): {
  readonly root: string
  readonly run: (name: string | undefined, flags?: Partial<EjectFlags>) => Ran
} {
  const root = mkdtempSync(join(tmpdir(), 'framework-eject-'))
  t.after(() => rmSync(root, { recursive: true, force: true }))
  writeFileSync(join(root, 'project.ts'), '')
  return {
    root,
    run(name, flags = {}) {
      const terminal = recordingTerminal()
      const status = ejectCommand(name, { project: root, ...flags }, terminal)
      return { status, out: terminal.output(), err: terminal.errors() }
    },
  }
}

test('a mail is copied', (t) => {
  const { root, run } = project(t)
  assert.deepEqual(run('mails/verify'), { status: 0, out: `${verify}\n`, err: '' })
  assert.match(readFileSync(join(root, verify), 'utf8'), /layouts\/mail/)
})

test('an unknown name is an error that lists names like it', (t) => {
  const { root, run } = project(t)
  const { status, err } = run('accounts/logn')
  assert.equal(status, 2)
  assert.match(err, /no view "accounts\/logn"; did you mean "accounts\/login"/)
  assert.match(run('login').err, /did you mean "accounts\/login"/)
  assert.match(run('weather').err, /no view "weather"; say what: /)
  assert.match(run(undefined).err, /say what: /)
  assert.ok(!existsSync(join(root, 'views')) && !existsSync(join(root, 'ejected.json')))
})

test('a file of the project is refused, replaced with --force and kept with --keep', (t) => {
  const { root, run } = project(t)
  mkdirSync(join(root, 'views', 'mails'), { recursive: true })
  writeFileSync(join(root, verify), 'mine')
  const refused = { code: 'E_EJECT', message: /verify\.template\.html is in the project already/ }
  assert.throws(() => run('mails/verify'), refused)
  assert.equal(
    run(undefined, { status: true }).out,
    'the project has no copies of built-in files\n',
  )

  run('mails/verify', { keep: true })
  assert.equal(readFileSync(join(root, verify), 'utf8'), 'mine')
  assert.match(run(undefined, { status: true }).out, /^current {2}views\/mails\/verify\.template/m)
  run('mails/verify', { force: true })
  assert.notEqual(readFileSync(join(root, verify), 'utf8'), 'mine')
})

test('a copy that is older is shown with what has changed, one that was deleted is not', (t) => {
  const { root, run } = project(t)
  run('mails/verify')
  run('mails/reset')
  const record = join(root, 'ejected.json')
  const copied: Record<string, string> = JSON.parse(readFileSync(record, 'utf8'))
  const older = { ...copied, [verify]: `first\n${copied[verify] ?? ''}` }
  writeFileSync(record, JSON.stringify({ ...older, 'views/mails/gone.template.html': '' }))
  rmSync(join(root, 'views/mails/reset.template.html'))
  writeFileSync(join(root, 'views/mails/gone.template.html'), '')
  const { status, out } = run(undefined, { status: true })
  assert.equal(status, 1)
  const states = ['gone  views/mails/gone.template.html', `older  ${verify}`]
  assert.deepEqual(out.match(/^\w+ {2}\S+$/gm)?.toSorted(), states)
  assert.match(out, /^ {4}-first$/m)
  assert.doesNotMatch(out, /^ {4}\+/m)
})

test('a folder without a project gets nothing', (t) => {
  const { root, run } = project(t)
  rmSync(join(root, 'project.ts'))
  assert.throws(() => run('mails/verify'), { code: 'E_EJECT', message: /no project in/ })
  assert.ok(!existsSync(join(root, 'views')))
})

test('changed lines are shown with two lines around them', () => {
  const before = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].join('\n')
  const after = ['a', 'b', 'c', 'D', 'e', 'f', 'g'].join('\n')
  assert.deepEqual(changedLines(before, after), [' b', ' c', '-d', '+D', ' e', ' f'])
})

test('lines at the beginning and the end are added and removed', () => {
  assert.deepEqual(changedLines('a\nb', 'x\na'), ['+x', ' a', '-b'])
  assert.deepEqual(changedLines('a', 'a'), [])
  assert.deepEqual(changedLines('', 'a'), ['-', '+a'])
})
