import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { curlMissing } from '../support/curl.ts'
import { applyStep, guideSteps } from './guide-steps.ts'
import { Newcomer } from './newcomer.ts'
import { Workshop } from './new-project-workshop.ts'

const guide = join(import.meta.dirname, '..', '..', '..', 'docs', 'start', 'getting-started.md')
const workshop = new Workshop()
before(() => workshop.prepare(), { timeout: 290_000 })
after(() => workshop.remove())

test(
  'the guide, and the README of the new project, work as written',
  { timeout: 290_000, skip: curlMissing },
  async (t) => {
    const newcomer = await Newcomer.arrive(t, workshop)
    const steps = guideSteps(readFileSync(guide, 'utf8'))
    assert.ok(steps.length >= 20)
    for (const step of steps) {
      if (step.kind === 'commands') await newcomer.run(step.commands, step.shown)
      else applyStep(newcomer.folder, step)
    }
    const page = await newcomer.look('/books')
    assert.match(page, /<a href="\/books" aria-current="page">Books<\/a>/)
    assert.match(page, /<caption>12 books, page 1 of 2<\/caption>/)
    for (const step of guideSteps(pageOfYourOwn(newcomer.folder))) {
      if (step.kind !== 'commands') applyStep(newcomer.folder, step)
    }
    await newcomer.run(['curl http://localhost:8087/about'], ['<h1>About us</h1>'])
    await newcomer.leave()
  },
)

/** The commands of the project's own README. */
function pageOfYourOwn(project: string): string {
  const readme = readFileSync(join(project, 'README.md'), 'utf8')
  return /^## A page of your own\n[^]*?(?=^## )/m.exec(readme)?.[0] ?? assert.fail()
}
