import type { Page } from 'playwright-core'
import type { Fault, Sign } from './faults.ts'
import type { School, Served } from './school.ts'

/** What a reader who does not know the project needed. */
export interface Read {
  readonly clicks: number
  /** From the first sign to the line, without the time to think. */
  readonly seconds: number
  /** The first line of the project that was shown at the end; null if there was none. */
  readonly shown: string | null
  readonly found: boolean
}

const places: Readonly<Record<Sign, string | null>> = {
  'the page in the browser': null,
  'the terminal': null,
  'the error inbox': '/errors',
  'the metrics page': '/metrics',
  'the queues': '/queue',
}

/** Starts the school with a fault, causes it, and goes the way from the first sign to the line. */
export async function read(school: School, fault: Fault, page: Page): Promise<Read> {
  const { name, environment, env = {} } = fault
  const site = await school.start({ fault: name, environment, env })
  try {
    const line = school.lineOf(name)
    if (places[fault.sign] !== null) await signIn(page, site)
    await fault.cause(page, site)
    return fault.sign === 'the terminal'
      ? await readTerminal(site, line)
      : await readPages(page, fault, site, line)
  } finally {
    await site.stop()
  }
}

async function readTerminal({ terminal }: Served, line: string): Promise<Read> {
  const began = performance.now()
  for (;;) {
    const shown = firstLine(terminal())
    const seconds = (performance.now() - began) / 1000
    const found = terminal().includes(line)
    if (found || seconds > 4) return { clicks: 0, seconds, shown, found }
    await pause(50)
  }
}

async function readPages(page: Page, fault: Fault, { url }: Served, line: string): Promise<Read> {
  const place = places[fault.sign]
  if (place !== null) await openFilled(page, url + place)
  const stopVisits = fault.visited === undefined ? null : visit(page, url + fault.visited)
  const began = performance.now()
  let clicks = 0
  let text = await textOf(page)
  for (const step of fault.way ?? []) {
    if (text.includes(line)) break
    const target = step.find(page)
    if ((await target.count()) > 0) {
      const before = page.url()
      await target.click()
      await page.waitForURL(({ href }) => href !== before)
    } else if (step.otherwise !== undefined) await page.goto(url + step.otherwise)
    else continue
    clicks += 1
    if (step.until !== undefined) await page.locator(step.until).waitFor()
    await page.waitForLoadState()
    text = await textOf(page)
  }
  const seconds = (performance.now() - began) / 1000
  stopVisits?.()
  return { clicks, seconds, shown: firstLine(text), found: text.includes(line) }
}

/** Asks for a page again and again, one request at a time. Returns a function that stops it. */
function visit(page: Page, address: string): () => void {
  const end = new AbortController()
  const visits = async (): Promise<void> => {
    while (!end.signal.aborted) {
      await page.request.get(address).catch(() => null)
      await pause(500)
    }
  }
  void visits()
  return () => end.abort()
}

/** Errors are stored behind the answers. */
async function openFilled(page: Page, address: string): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) {
    await page.goto(address)
    if (address.endsWith('/metrics')) return
    if ((await page.locator('main a[href^="/errors/"], main a[href^="/queue/"]').count()) > 0)
      return
    await pause(500)
  }
}

async function signIn(page: Page, { url }: Served): Promise<void> {
  await page.goto(`${url}/login`)
  await page.getByLabel('E-mail', { exact: false }).first().fill('member@example.com')
  await page.locator('input[type=password]').fill('let me see it all')
  await page.locator('main form button:not([type=button])').first().click()
  await page.waitForLoadState()
}

/** What is seen without a further click. */
async function textOf(page: Page): Promise<string> {
  return page.locator('body').innerText()
}

/** The first line of the project in a text. */
function firstLine(text: string): string | null {
  const own =
    /(?<![\w/])(?:(?:routes|services|views|entities|migrations)\/[\w/.-]+|services|project)\.(?:ts|html):\d+/
  return own.exec(text)?.[0] ?? null
}

const pause = (milliseconds: number): Promise<void> =>
  new Promise((done) => setTimeout(done, milliseconds))
