import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { readMail } from '../../src/mail/read-mail.ts'
import { waitFor } from '../support/wait-for.ts'

const program = join(import.meta.dirname, 'mail-files-child.ts')

async function folder(t: TestContext): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'mail-files-'))
  t.after(() => rm(path, { recursive: true }))
  return join(path, 'mails')
}

function write(t: TestContext, path: string, name: string, count: number): ChildProcess {
  const flags = process.execArgv.filter((option) => option.startsWith('--conditions'))
  const child = spawn(process.execPath, [...flags, program, path, name, String(count)], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  t.after(() => child.kill('SIGKILL'))
  return child
}

async function letters(path: string): Promise<string[]> {
  const names = await readdir(path).catch(() => [])
  return names.filter((name) => name.endsWith('.eml'))
}

/** The subject of a mail, which must be complete. */
async function subjectOf(path: string, name: string): Promise<string> {
  const mail = await readMail(await readFile(join(path, name)))
  const subject = mail.header('subject') ?? ''
  assert.match(name, /^1700000000-\d{4}\.eml$/)
  assert.ok(mail.text?.trimEnd().endsWith(`the end of ${subject}`), `${name} is not whole`)
  return subject
}

function expected(names: readonly string[], count: number): string[] {
  return names.flatMap((name) => Array.from({ length: count }, (_, number) => `${name} ${number}`))
}

test('six processes write into one folder in the same second: every mail once, and never half-written', async (t) => {
  const path = await folder(t)
  const names = ['a', 'b', 'c', 'd', 'e', 'f']
  const children = names.map((name) => write(t, path, name, 60))
  const ended = Promise.all(children.map((child) => once(child, 'exit')))
  const seen = new Set<string>()
  let looks = 0
  while (children.some(({ exitCode, signalCode }) => exitCode === null && signalCode === null)) {
    for (const name of await letters(path)) {
      if (seen.has(name)) continue
      seen.add(name)
      await subjectOf(path, name)
    }
    looks += 1
    await new Promise(setImmediate)
  }
  assert.deepEqual(
    (await ended).map(([code]: unknown[]) => code),
    names.map(() => 0),
  )
  assert.ok(looks > 10 && seen.size > 10, `looked ${looks} times and saw ${seen.size}`)
  const files = await letters(path)
  const subjects = await Promise.all(files.map((name) => subjectOf(path, name)))
  assert.deepEqual(subjects.sort(), expected(names, 60).sort())
  assert.deepEqual((await readdir(path)).sort(), files.sort(), 'a draft was left')
})

test('a killed process leaves no half-written mail, and the others go on', async (t) => {
  const path = await folder(t)
  const victim = write(t, path, 'victim', 100_000)
  const other = write(t, path, 'other', 60)
  const otherEnded = once(other, 'exit')
  await waitFor('letters of both', async () => (await letters(path)).length > 20)
  victim.kill('SIGKILL')
  await once(victim, 'exit')
  assert.deepEqual(await otherEnded, [0, null])
  const files = await letters(path)
  const subjects = await Promise.all(files.map((name) => subjectOf(path, name)))
  assert.equal(new Set(subjects).size, subjects.length)
  assert.deepEqual(
    subjects.filter((subject) => subject.startsWith('other')).sort(),
    expected(['other'], 60).sort(),
  )
})
