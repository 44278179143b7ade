import type { Locator, Page } from 'playwright-core'
import type { Served, Start } from './school.ts'

/** Where the reader is when something looks wrong. */
export type Sign =
  | 'the page in the browser'
  | 'the terminal'
  | 'the error inbox'
  | 'the metrics page'
  | 'the queues'

/** What somebody clicks on, or which address they type where it is missing; both count. */
export interface Step {
  readonly find: (page: Page) => Locator
  readonly otherwise?: string
  /** What is waited for on its page: a profile takes a while. */
  readonly until?: string
}

/** A planted fault, how it shows itself, and the way from there. */
export interface Fault extends Omit<Start, 'fault'> {
  /** As its marker in the project says. */
  readonly name: string
  readonly about: string
  readonly sign: Sign
  readonly cause: (page: Page, site: Served) => Promise<unknown>
  /** A path that visitors go on asking for. */
  readonly visited?: string
  /** Clicks until the line is seen; those that the page does not offer are left out. */
  readonly way?: readonly Step[]
}

/** The badge, or the id of the request on an error page; without them the list of requests. */
const toRecord: Step = {
  find: (page) => page.locator('a[href^="/inspect/request/"]').first(),
  otherwise: '/inspect',
}
const record: Step = {
  find: (page) => page.locator('a[href^="/inspect/"]', { hasText: '/instruments' }).first(),
}
const newest: Step = {
  find: (page) => page.locator('main a[href^="/errors/"]:not([href*="profiles"])').first(),
}
/** In the list of queues; without it the inbox. */
const reason: Step = {
  find: (page) => page.locator('main a[href^="/errors?q="]').first(),
  otherwise: '/errors',
}
const profiles: Step = {
  find: (page) => page.locator('a[href="/errors/profiles"]').first(),
  otherwise: '/errors/profiles',
}
const profile = (kind: string): Step => ({
  find: (page) => page.locator(`button[value="${kind}"]`),
  until: '.flame',
})
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const open =
  (path: string): Fault['cause'] =>
  (page, { url }) =>
    page.goto(url + path)
const submit =
  (name: string): Fault['cause'] =>
  async (page, { url }) => {
    await page.goto(`${url}/instruments/2`)
    await press(page, name)
  }

const inBrowser = {
  environment: 'development',
  sign: 'the page in the browser',
  way: [toRecord, record],
} as const
const inInbox = { environment: 'production', sign: 'the error inbox', way: [newest] } as const
const inTerminal = { environment: 'production', sign: 'the terminal' } as const

/** One at a time. */
export const faults: readonly Fault[] = [
  {
    name: 'type-error',
    about: 'TypeError deep in a service',
    ...inBrowser,
    cause: open('/instruments/4'),
  },
  {
    name: 'wrong-status',
    about: 'a wrong status for a page that exists',
    ...inBrowser,
    cause: open('/instruments/4'),
  },
  {
    name: 'bad-column',
    about: 'SQL: a column that is not there',
    ...inBrowser,
    cause: open('/instruments/4'),
  },
  {
    name: 'variable',
    about: 'template: a variable that is missing',
    ...inBrowser,
    cause: open('/instruments'),
  },
  {
    name: 'partial',
    about: 'template: an error in a partial',
    ...inBrowser,
    cause: open('/instruments/4'),
  },
  {
    name: 'schema',
    about: 'validation: a schema that throws',
    ...inBrowser,
    cause: submit('Lend'),
  },
  {
    name: 'fetch',
    about: 'a webhook that is down: "fetch failed"',
    ...inBrowser,
    cause: submit('Lend'),
  },
  {
    name: 'n-plus-one',
    about: 'SQL: N+1',
    ...inBrowser,
    cause: open('/instruments'),
  },
  {
    name: 'slow-query',
    about: 'SQL: a slow query, no index',
    ...inBrowser,
    cause: open('/instruments'),
  },
  {
    name: 'blocked',
    about: 'a loop that blocks for 3 s',
    environment: 'production',
    sign: 'the metrics page',
    cause: open('/instruments/4/estimate'),
    visited: '/instruments/4/estimate',
    way: [profiles, profile('cpu')],
  },
  {
    name: 'unawaited',
    about: 'a rejected promise that nobody awaits',
    ...inTerminal,
    environment: 'development',
    cause: (page, site) => open('/instruments/4')(page, site).catch(() => null),
  },
  { name: 'unique', about: 'SQL: a duplicate key', ...inInbox, cause: submit('Lend') },
  { name: 'deadlock', about: 'SQL: a deadlock', ...inInbox, cause: deadlock },
  {
    name: 'lock-wait',
    about: 'SQL: a statement waits for a lock',
    ...inTerminal,
    cause: twoInspections,
  },
  {
    name: 'leak',
    about: 'a leak of memory',
    ...inInbox,
    env: { NODE_OPTIONS: '--max-old-space-size=160', WORKERS: '2' },
    cause: eatMemory,
    visited: '/instruments/4/estimate',
    way: [profiles, profile('memory')],
  },
  { name: 'listeners', about: 'a leak of listeners', ...inTerminal, cause: manyEstimates },
  {
    name: 'mail',
    about: 'a mail server that is down',
    ...inInbox,
    env: { MAIL_HOST: '127.0.0.1', MAIL_PORT: '2', MAIL_SECURE: 'none' },
    cause: submit('Lend'),
  },
  {
    name: 'poisoned',
    about: 'a poisoned job',
    environment: 'production',
    sign: 'the queues',
    env: { QUEUE_ATTEMPTS: '1' },
    cause: poison,
    way: [reason, newest],
  },
  {
    name: 'timer',
    about: 'an uncaught exception in a timer',
    ...inTerminal,
    cause: open('/instruments/4/estimate'),
  },
  {
    name: 'start',
    about: 'a deploy that fails at its start',
    ...inTerminal,
    cause: async () => {},
  },
]

/** Two students exchange the same instruments, each from their side. */
async function deadlock(page: Page, { url }: Served): Promise<void> {
  const other = await page.context().newPage()
  await page.goto(`${url}/instruments/2`)
  await other.goto(`${url}/instruments/1`)
  await Promise.all([press(page, 'Swap'), press(other, 'Swap')])
  await other.close()
}

async function twoInspections(page: Page, { url }: Served): Promise<void> {
  const other = await page.context().newPage()
  // One after the other: they share a session.
  await page.goto(`${url}/instruments/2`)
  await other.goto(`${url}/instruments/2`)
  await Promise.all([press(page, 'Inspect'), press(other, 'Inspect')])
  await other.close()
}

async function eatMemory(page: Page, { url, terminal }: Served): Promise<void> {
  for (let turn = 0; turn < 400 && !/out of memory/i.test(terminal()); turn += 1) {
    await page.request.get(`${url}/instruments/4/estimate`).catch(() => null)
  }
  // The report of the dead worker is read by the one in its place.
  await new Promise((done) => setTimeout(done, 4000))
}

async function manyEstimates(page: Page, { url }: Served): Promise<void> {
  for (let turn = 0; turn < 12; turn += 1) await page.request.get(`${url}/instruments/4/estimate`)
}

async function poison(page: Page, site: Served): Promise<void> {
  await submit('Lend')(page, site)
  await site.run('queue', 'run', 'reminders', '--once')
}
