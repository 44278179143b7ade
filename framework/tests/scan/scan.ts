import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { findOnPath } from '../support/find-on-path.ts'
import { installPrograms } from '../support/install-programs.ts'
import { Cleanup } from './cleanup.ts'
import { explanationOf } from './explained.ts'
import { findingLine } from './finding.ts'
import type { Finding } from './finding.ts'
import { sendForgedForms } from './forged-forms.ts'
import { servePlantedSite } from './planted-site.ts'
import { Relay } from './relay.ts'
import { freshResetLink } from './reset-link.ts'
import { serveScannedSite } from './scanned-site.ts'
import type { ScannedSite } from './scanned-site.ts'
import { largeFile, runSlowClients } from './slow-clients.ts'
import { runSqlmap } from './sqlmap.ts'
import { guestTargets, memberTargets, resetTarget, startPaths } from './targets.ts'
import { runWapiti } from './wapiti.ts'

type Scan = (cleanup: Cleanup, site: ScannedSite) => Promise<readonly Finding[]>

/** The scanners by the name of their program. */
const scans: Readonly<Record<string, Scan>> = {
  wapiti: scanWithWapiti,
  sqlmap: scanWithSqlmap,
  slowhttptest: runSlowClients,
}

const asked = process.argv.slice(2)
const chosen = Object.entries(scans).filter(([name]) => asked.length === 0 || asked.includes(name))
if (asked.some((name) => !Object.hasOwn(scans, name))) {
  console.error(`Usage: npm run scan -- [${Object.keys(scans).join(' | ')}]...`)
  process.exit(1)
}

const cleanup = new Cleanup()
process.once('SIGINT', () => void cleanup.end().finally(() => process.exit(130)))
try {
  const missing = await installPrograms(
    chosen.map(([name]) => ({ name, package: name, isHere: () => findOnPath([name]) !== null })),
  )
  if (missing.length > 0) throw new Error('a scan needs the programs that are named above')
  const site = await serveScannedSite(cleanup)
  writeFileSync(join(site.folder, 'public', largeFile), Buffer.alloc(20_000_000))
  const findings: Finding[] = []
  for (const [name, scan] of chosen) {
    console.log(`${name}:`)
    findings.push(...(await scan(cleanup, site)))
  }
  process.exitCode = report(findings)
} finally {
  await cleanup.end()
}

async function scanWithWapiti(cleanup: Cleanup, { url, folder }: ScannedSite): Promise<Finding[]> {
  const planted = await Relay.open(await servePlantedSite(cleanup))
  const seen = await runWapiti(cleanup, folder, { url: planted.url, starts: [], seconds: 30 })
  planted.close()
  const kinds = [...new Set(seen.findings.map(({ kind }) => kind))]
  console.log(`  planted site: ${kinds.join(', ')}`)
  for (const kind of ['SQL Injection', 'Cross Site Scripting']) {
    if (!kinds.includes(kind)) throw new Error(`wapiti did not find what was planted: ${kind}`)
  }
  const findings: Finding[] = []
  for (const signsIn of [false, true]) {
    const relay = await Relay.open(url, { signsIn })
    const target = { url: relay.url, starts: startPaths, seconds: 120 }
    const scanned = await runWapiti(cleanup, folder, target)
    relay.close()
    findings.push(...scanned.findings, ...relay.findings)
    const targets = signsIn ? memberTargets : guestTargets
    findings.push(...(await sendForgedForms(url, targets, { signsIn })))
    const who = signsIn ? 'somebody signed in' : 'a guest'
    console.log(`  as ${who}: ${scanned.attacked} addresses and forms, ${statusesOf(relay)}`)
  }
  return findings
}

async function scanWithSqlmap(cleanup: Cleanup, site: ScannedSite): Promise<Finding[]> {
  const { url, folder } = site
  const planted = await Relay.open(await servePlantedSite(cleanup))
  for (const target of [
    { name: 'planted-query', path: '/?name=Ada' },
    { name: 'planted-form', path: '/', form: 'name=Ada' },
  ]) {
    const found = await runSqlmap(cleanup, folder, planted.url, target)
    if (found.length === 0) throw new Error(`sqlmap did not find what was planted: ${target.name}`)
  }
  planted.close()
  console.log('  planted site: both holes were found')
  const findings: Finding[] = []
  for (const [targets, signsIn] of [
    [[...guestTargets, resetTarget(await freshResetLink(site))], false],
    [memberTargets, true],
  ] as const) {
    for (const target of targets) {
      const relay = await Relay.open(url, { signsIn })
      findings.push(...(await runSqlmap(cleanup, folder, relay.url, target)), ...relay.findings)
      relay.close()
      console.log(`  ${target.name}: ${statusesOf(relay)}`)
    }
  }
  return findings
}

function statusesOf({ statuses }: Relay): string {
  return [...statuses]
    .toSorted(([one], [other]) => one - other)
    .map(([status, count]) => `${count} × ${status}`)
    .join(', ')
}

/** Prints the findings, explained ones separately, and returns the exit status. */
function report(findings: readonly Finding[]): number {
  const open = findings.filter((finding) => explanationOf(finding) === null)
  const explained = Map.groupBy(findings, explanationOf)
  for (const [reason, { length, 0: first }] of explained) {
    if (reason !== null) console.log(`explained, ${length} times: ${first?.kind}: ${reason}`)
  }
  for (const finding of open) console.error(`FOUND ${findingLine(finding)}`)
  console.log(`${open.length} findings, ${findings.length - open.length} explained`)
  return open.length === 0 ? 0 : 1
}
