import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { LoadRequest } from '../method/load.ts'
import { type Entrant, startFile } from './entrants.ts'
import type { Options } from './options.ts'
import { environmentOf, originOf } from './server-process.ts'
import { openStage } from './stage.ts'
import { type Task, tasks } from './tasks.ts'
import { requestOf } from './visit.ts'

/**
 * Starts one server until it is interrupted, and prints the requests of every task that it can do, to
 * profile it by hand. It then ends in order, so that profiles are written.
 */
export async function serveByHand(
  entrant: Entrant,
  { tasks: [chosen], port, nodeFlags }: Options,
  folder: string,
): Promise<number> {
  if (chosen === undefined) return 1
  const stage = await openStage()
  try {
    const database = await stage.newDatabase(chosen.database)
    const env = { ...process.env, ...(await environmentOf(chosen, database, stage)) }
    const args = [...nodeFlags, startFile(folder, entrant, 'js'), String(port)]
    // In a group of its own: Ctrl-C would end it before its profile is written.
    const server = spawn(process.execPath, args, {
      env,
      stdio: ['ignore', 2, 2, 'ipc'],
      detached: true,
    })
    const ended = once(server, 'exit')
    await Promise.race([once(server, 'message'), ended])
    console.log(`${entrant.label} has process ${server.pid}; Ctrl-C ends it.\n`)
    const place = { origin: originOf(chosen, port), token: database.token }
    for (const task of tasks.filter((task) => fits(task, chosen))) {
      const request = await requestOf(task, place, stage)
      const shown = task.kind === 'login' ? `open ${request.url}` : commandOf(request, task)
      console.log(`# ${task.name}\n${shown}\n`)
    }
    const interrupted = new Promise((resolve) => process.once('SIGINT', resolve))
    await Promise.race([interrupted, ended])
    if (server.connected) server.disconnect()
    await ended
    return 0
  } finally {
    await stage.close()
  }
}

function fits(task: Task, { database, sessions, tls }: Task): boolean {
  return task.database === database && task.sessions === sessions && task.tls === tls
}

function commandOf({ url, method = 'GET', headers = {}, body, bodyFile }: LoadRequest, task: Task) {
  const script = `${import.meta.dirname}/../method/wrk-report.lua`
  const lines = Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`)
  const options = `-t1 -c${task.connections} -d5s -s ${quoted(script)} ${lines.join(' ')}`
  const content = [method, quoted(body ?? ''), ...(bodyFile === undefined ? [] : [bodyFile])]
  return `wrk ${options} ${quoted(url)} -- ${content.join(' ')}`
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}
