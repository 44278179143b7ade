import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Cleanup } from './cleanup.ts'
import type { Finding } from './finding.ts'
import { heldSockets } from './held-sockets.ts'
import { runScanner } from './run-scanner.ts'
import type { ScannedSite } from './scanned-site.ts'

/** A slow attack that keeps a server busy with little traffic. */
interface SlowAttack {
  readonly name: string
  readonly path: string
  readonly parameters: readonly string[]
}

/** A file that the site must have, too large for any buffer on the way. */
export const largeFile = 'large.bin'

const attacks: readonly SlowAttack[] = [
  { name: 'slow headers', path: '/', parameters: ['-H', '-i', '5'] },
  // No rate limit refuses it at once, and the CSRF check needs its body.
  { name: 'slow body', path: '/logout', parameters: ['-B', '-i', '5', '-s', '8192'] },
  {
    name: 'slow read',
    path: `/${largeFile}`,
    parameters: ['-X', '-w', '10', '-y', '20', '-n', '5', '-z', '5'],
  },
  { name: 'ranges', path: '/style.css', parameters: ['-R', '-a', '5', '-b', '1200'] },
]

const connections = 400
/** Seconds of an attack: more than the longest timeout of the server. */
const lasting = 95
/** Seconds that other visitors wait for a page meanwhile. */
const maxSeconds = 5

/** Runs slowhttptest against a site, which must keep serving others and close the slow connections. */
export async function runSlowClients(
  cleanup: Cleanup,
  { url, folder, command }: ScannedSite,
): Promise<readonly Finding[]> {
  const findings: Finding[] = []
  for (const { name, path, parameters } of attacks) {
    const where = `${name} at ${path}`
    const before = heldSockets(command.child.pid ?? 0)
    const attack = runScanner(cleanup, 'slowhttptest', join(folder, 'storage'), [
      parameters,
      ['-u', url + path],
      ['-c', String(connections)],
      ['-r', '200'],
      ['-l', String(lasting)],
      ['-p', String(maxSeconds)],
      ['-v', '1'],
    ])
    const watched = await watch(url, command.child.pid ?? 0, attack)
    const { output } = await attack
    for (const detail of watched.refused) findings.push(finding('no answer', where, detail))
    if (/service available:\W*(?:\[[\d;]*m\W*)*NO/.test(output)) {
      findings.push(finding('no answer', where, 'slowhttptest got none'))
    }
    // It ends early when all connections were closed. Sockets of other visits may be open at that moment.
    const isOver = output.includes('No open connections left')
    if (!isOver && watched.last > before + connections / 20) {
      const detail = `${watched.last} sockets are held at the end, ${before} were before`
      findings.push(finding('connections stay', where, detail))
    }
    console.log(`  ${where}: at most ${watched.most} sockets, slowest page ${watched.slowest} s`)
  }
  return findings
}

interface Watched {
  readonly refused: readonly string[]
  readonly slowest: string
  readonly most: number
  readonly last: number
}

/** Visits the site once a second during the attack. */
async function watch(url: string, pid: number, attack: Promise<unknown>): Promise<Watched> {
  const refused: string[] = []
  const held = [heldSockets(pid)]
  let slowestMs = 0
  const over = attack.then(() => true)
  for (let isOver = false; !isOver;) {
    const startedMs = performance.now()
    const answer = await fetch(`${url}/login`, { signal: AbortSignal.timeout(maxSeconds * 1000) })
      .then(({ status }) => String(status))
      .catch(String)
    slowestMs = Math.max(slowestMs, performance.now() - startedMs)
    if (answer !== '200') refused.push(answer)
    held.push(heldSockets(pid))
    isOver = await Promise.race([sleep(1000, false), over])
  }
  const last = Math.min(...held.slice(-5))
  return { refused, slowest: (slowestMs / 1000).toFixed(2), most: Math.max(...held), last }
}

function finding(kind: string, where: string, detail: string): Finding {
  return { by: 'slowhttptest', kind, where, detail }
}
