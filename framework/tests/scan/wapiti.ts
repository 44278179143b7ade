import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { openCallHome } from './call-home.ts'
import type { Cleanup } from './cleanup.ts'
import type { Finding } from './finding.ts'
import { runScanner } from './run-scanner.ts'

/**
 * All modules except four: nikto and wapp compare with lists that they download, buster guesses names of
 * another kind of server, and ssl checks a certificate, which this site does not have.
 */
const modules =
  'backup blindsql brute_login_form cookieflags crlf csp csrf exec file htaccess http_headers ' +
  'methods permanentxss redirect shellshock sql ssrf xss xxe'

/** What to scan besides what the crawler finds. */
export interface WapitiTarget {
  readonly url: string
  readonly starts: readonly string[]
  /** Time limit of each module in seconds. */
  readonly seconds: number
}

/** The result of the scan. */
export interface WapitiReport {
  /** Addresses and forms that were attacked. */
  readonly attacked: number
  readonly findings: readonly Finding[]
}

interface Entry {
  readonly method: string
  readonly path: string
  readonly info: string
  readonly parameter: string | null
}

/** Runs wapiti against a site and reads its report. */
export async function runWapiti(
  cleanup: Cleanup,
  folder: string,
  { url, starts, seconds }: WapitiTarget,
): Promise<WapitiReport> {
  const own = join(folder, `wapiti-${new URL(url).port}`)
  mkdirSync(own, { recursive: true })
  const report = join(own, 'report.json')
  const home = await openCallHome(cleanup)
  const { output } = await runScanner(cleanup, 'wapiti', own, [
    ['--url', `${url}/`],
    ...starts.map((start) => ['--start', url + start]),
    ['--module', modules.replaceAll(' ', ',')],
    ['--skip', '_token'],
    ['--scan-force', 'paranoid'],
    ['--max-attack-time', String(seconds)],
    ['--endpoint', home.url],
    ['--no-bugreport'],
    ['--store-session', own],
    ['--store-config', own],
    ['--format', 'json'],
    ['--output', report],
  ])
  const [, attacked = '0'] = /found (\d+) URLs and forms/.exec(output) ?? []
  if (Number(attacked) === 0) throw new Error(`wapiti found nothing to attack: ${output}`)
  return { attacked: Number(attacked), findings: [...findingsIn(report), ...home.findings] }
}

function findingsIn(report: string): Finding[] {
  const {
    vulnerabilities,
    anomalies,
  }: Record<string, Record<string, readonly Entry[]>> = JSON.parse(readFileSync(report, 'utf8'))
  const kinds = Object.entries({ ...vulnerabilities, ...anomalies })
  return kinds.flatMap(([kind, entries]) =>
    entries.map(({ method, path, info, parameter }) => ({
      by: 'wapiti',
      kind,
      where: `${method} ${path}${parameter === null ? '' : ` (${parameter})`}`,
      detail: info,
    })),
  )
}
