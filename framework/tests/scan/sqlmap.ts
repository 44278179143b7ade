import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Cleanup } from './cleanup.ts'
import type { Finding } from './finding.ts'
import { runScanner } from './run-scanner.ts'

/** A request to test; `*` in its path or headers marks an injection point. */
export interface SqlmapTarget {
  readonly name: string
  readonly path: string
  /** A form, sent by POST; without one the request is a GET. */
  readonly form?: string
  /** Fields to test. @default all marked places */
  readonly fields?: string
  /** Cookies to test, instead of the visitor's. */
  readonly cookie?: string
  /** Fields that get a different value each time, so that a limit which counts them is never reached. */
  readonly random?: string
  /** Statuses of refusals, after which sqlmap should continue. */
  readonly refusals?: string
}

const clean = /do(?:es)? not (?:appear|seem) to be injectable/
const found = /Parameter: (.+?) \((.+)\)\s+Type: (.+)/g

/**
 * Runs sqlmap on a request, as a client that accepts JSON: refused forms then differ in
 * status and text, which tells it more than redirects.
 * @throws Error when it reached no conclusion.
 */
export async function runSqlmap(
  cleanup: Cleanup,
  folder: string,
  url: string,
  { name, path, form, fields, cookie, random, refusals = '400,401,403,404,422' }: SqlmapTarget,
): Promise<readonly Finding[]> {
  const own = join(folder, `sqlmap-${name}`)
  mkdirSync(own, { recursive: true })
  const { output } = await runScanner(cleanup, 'sqlmap', own, [
    ['--url', url + path],
    form === undefined ? [] : ['--data', form],
    fields === undefined ? [] : ['-p', fields],
    cookie === undefined ? [] : ['--cookie', cookie],
    random === undefined ? [] : ['--randomize', random],
    ['--headers', 'Accept: application/json'],
    ['--dbms', 'sqlite'],
    ['--level', '3'],
    ['--risk', '3'],
    ['--time-sec', '3'],
    ['--ignore-redirects'],
    // The relay keeps the session.
    ['--drop-set-cookie'],
    ['--ignore-code', refusals],
    ['--output-dir', own],
    ['--flush-session'],
    ['--batch'],
    ['--disable-coloring'],
  ])
  const findings = [...output.matchAll(found)].map(([, field = '', place = '', kind = '']) => ({
    by: 'sqlmap',
    kind: 'SQL injection',
    where: `${form === undefined ? 'GET' : 'POST'} ${path} (${field}, ${place})`,
    detail: kind,
  }))
  if (findings.length === 0 && !clean.test(output)) {
    throw new Error(`sqlmap came to no verdict about ${name}:\n${output.slice(-3000)}`)
  }
  return findings
}
