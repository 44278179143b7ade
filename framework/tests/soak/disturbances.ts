import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { History } from './history.ts'
import { SoakSite } from './soak-site.ts'

/** What happens to a site, each for some seconds. */
export const disturbances: Readonly<Record<string, (site: SoakSite) => Promise<unknown>>> = {
  'a worker is killed': async ({ workers }) => kill(oneOf(workers)),
  'the server is killed': async ({ leader }) => kill(leader),
  'a process of jobs is killed': async ({ queueWorkers }) => kill(oneOf(queueWorkers)),
  'the database is frozen': ({ database }) => freeze(SoakSite.programsOn(database.port)),
  'the database is killed': async ({ database }) => {
    await database.kill()
    await sleep(randomInt(100, 2_000))
    await database.restart()
  },
  'Redis is frozen': ({ redis }) => freeze(SoakSite.programsOn(redis.port)),
  'Redis is killed': async ({ redis }) => {
    await redis.kill()
    await sleep(randomInt(100, 2_000))
    await redis.restart()
  },
  'a worker is frozen': ({ workers }) => freeze([oneOf(workers)]),
  'the mail server refuses': async ({ mail }) => {
    mail.mood = 'refuses'
    await sleep(2_000)
    mail.mood = 'well'
  },
  'the mail server is slow': async ({ mail }) => {
    mail.mood = 'slow'
    await sleep(2_000)
    mail.mood = 'well'
  },
  'the workers are renewed': async ({ leader }) => send(leader, 'SIGUSR2'),
  'a release with a migration': async (site) => {
    site.addMigration()
    await site.migrate()
    send(site.leader, 'SIGUSR2')
  },
}

/** Lets one after the other happen, in random order, with some seconds between, until told to stop. */
export async function disturb(
  site: SoakSite,
  history: History,
  { kinds, signal }: { readonly kinds: readonly string[]; readonly signal: AbortSignal },
): Promise<void> {
  let left: string[] = []
  while (!signal.aborted) {
    if (left.length === 0) left = [...kinds]
    const [kind = ''] = left.splice(randomInt(left.length), 1)
    const disturbance = { kind, from: Date.now(), to: Infinity }
    history.disturbances.push(disturbance)
    try {
      await disturbances[kind]?.(site)
    } finally {
      disturbance.to = Date.now()
    }
    await sleep(randomInt(1_000, 5_000), undefined, { signal }).catch(() => {})
  }
}

async function freeze(pids: readonly number[]): Promise<void> {
  for (const pid of pids) send(pid, 'SIGSTOP')
  await sleep(randomInt(500, 4_000))
  for (const pid of pids) send(pid, 'SIGCONT')
}

function kill(pid: number): void {
  send(pid, 'SIGKILL')
}

function send(pid: number, signal: NodeJS.Signals): void {
  if (pid === 0) return
  try {
    process.kill(pid, signal)
  } catch {
    // It has just ended.
  }
}

function oneOf(pids: readonly number[]): number {
  return pids[randomInt(Math.max(1, pids.length))] ?? 0
}
