import { setTimeout as sleep } from 'node:timers/promises'
import { messageOf, toError } from '../../base/to-error.ts'
import { isRecord } from '../../base/is-record.ts'
import { explainSelect } from '../../database/explain-select.ts'
import type { Database } from '../../database/surface.ts'
import { HttpError } from '../../http/errors/http-error.ts'
import { CsrfOrigins } from '../../http/middlewares/csrf-origins.ts'
import type { Request } from '../../http/request/request.ts'
import type { Router } from '../../http/router/router.ts'
import { inFleet } from '../../http/server/fleet/workers.ts'
import type { ServerHost } from '../../http/server/server-host.ts'
import { defaultRepeats } from '../../logs/logs-settings.ts'
import { forDevelopers, pageToken } from '../for-developers.ts'
import { PageEvents } from '../page-events.ts'
import { allowModules } from '../page-modules.ts'
import { activityPage } from './activity-page.ts'
import type { ActivityRecord } from './activity-record.ts'
import { inspectorPath, isInspectorPath } from './inspector-path.ts'
import { changeEvents, listChanges, maxListed } from './list-changes.ts'
import { listPage } from './list-page.ts'
import { declareInspectorModules } from './page-frame.ts'
import { RecordFile, recordPath } from './record-file.ts'
import { recordProcess } from './record-process.ts'
import { recordRequests } from './record-requests.ts'
import { kindNamed } from './record-search.ts'
import type { RecordSearch } from './record-search.ts'
import { RequestPhases } from './request-phases.ts'
import { retryWhileBusy } from './retry-while-busy.ts'

/** The options of a declared inspector. */
export interface DeclareOptions {
  readonly root: string
  readonly remote: boolean
  readonly run: number | null
  readonly minRepeats?: number
}

/** How long to wait for a record that is about to be written. */
const maxWaits = 6
const waitMs = 50

/** Declares `/inspect` and records while the server serves. A project's own routes there win. */
export function declareInspector(
  router: Router,
  services: unknown,
  server: ServerHost,
  options: DeclareOptions,
): void {
  if (router.routes().some(({ pattern }) => isInspectorPath(pattern))) return
  recordWhileServing(server, options)
  const { root, remote } = options
  const file = new RecordFile(recordPath(root))
  server.onClose(() => file.close())
  const pages = new PageEvents(server)
  const databases = databasesIn(services)
  const origins = new CsrfOrigins([])

  const one = async (number: number): Promise<ActivityRecord> => {
    const record = await retryWhileBusy(() => file.read(number))
    if (record === null) throw new HttpError(404, `record ${number} is not there, or not any more`)
    return record
  }

  router.group(
    inspectorPath,
    (group) => {
      group.get('/', async ({ query }, response) => {
        const { search, words, kind } = searchOf(query)
        const change = await retryWhileBusy(() => file.lastChange())
        const records = await retryWhileBusy(() => file.list(search, maxListed))
        return allowModules(response, 'self').html(
          listPage({ records, words, kind, change, nonce: response.nonce }),
        )
      })
      // A worker knows of what other processes have done only from the file.
      group.get('/events', (request, response) =>
        pages.send(request, response, (signal) =>
          changeEvents(file, searchOf(request.query).search, signal),
        ),
      )
      // Polled by the list while it has no events.
      group.get('/changes', async ({ query }, response) =>
        response.json(await listChanges(file, searchOf(query).search)),
      )
      group.get('/:kind<request|job|command|task>/:id', async ({ params }, response) => {
        const kind = kindNamed(params.kind)
        const find = (): number | null => (kind === null ? null : file.find(kind, params.id))
        let number = await retryWhileBusy(find)
        // The link of a debug page may be followed before the record is written.
        for (let waits = 0; number === null && waits < maxWaits; waits += 1) {
          await sleep(waitMs)
          number = await retryWhileBusy(find)
        }
        if (number !== null) return response.redirect(`${inspectorPath}/${number}`)
        throw new HttpError(404, `there is no record of this ${params.kind}`)
      })
      group.get('/:number<int>', async (request, response) => {
        const { number } = request.params
        const record = await one(number)
        return allowModules(response, 'self').html(
          activityPage({
            record,
            number,
            ...(await retryWhileBusy(() => file.neighbours(number))),
            root,
            nonce: response.nonce,
            token: await pageToken(request),
            explains: databases.length > 0,
            hasMails: router.routes().some(({ pattern }) => pattern === '/mails/of/:message'),
          }),
        )
      })
      group.post('/:number<int>/explain/:text<int>', async (request, response) => {
        refuseOthers(origins, request)
        const { number, text } = request.params
        const statement = (await one(number)).texts[text]
        if (statement === undefined) throw new HttpError(404, 'the record has no such statement')
        const plan = await explainedText(databases, statement)
        return response.json({ plan })
      })
      declareInspectorModules(group)
    },
    [forDevelopers(remote)],
  )
}

/** Deletes the records of an earlier run: before the first request, or in the primary of a fleet. */
export function emptyRecords({ root, run }: DeclareOptions): void {
  const file = new RecordFile(recordPath(root))
  try {
    file.startRun(run)
  } catch {
    // The records are not worth a server that does not start.
  } finally {
    file.close()
  }
}

function recordWhileServing(server: ServerHost, options: DeclareOptions): void {
  const { root, minRepeats = defaultRepeats } = options
  const { emitter, throwables } = server
  // Now: the chains of routes are composed before the server serves.
  const phases = new RequestPhases()
  server.onClose(phases.start())
  server.onServe(() => {
    if (!inFleet()) emptyRecords(options)
    const { recorder, stop } = recordProcess({ root, minRepeats, throwables })
    server.onClose(stop)
    server.onClose(recordRequests(recorder, emitter, phases))
  })
}

/** The databases among the services of a project. */
function databasesIn(services: unknown): readonly Database[] {
  return isRecord(services) ? [...new Set(Object.values(services).filter(isDatabase))] : []
}

function isDatabase(service: unknown): service is Database {
  return isRecord(service) && 'dialect' in service && 'dispatch' in service && 'ping' in service
}

function searchOf(query: Readonly<Record<string, string>>): {
  readonly search: RecordSearch
  readonly words: string
  readonly kind: string
} {
  const words = (query['q'] ?? '').slice(0, 500)
  const kind = kindNamed(query['kind'])
  const after = Number(query['after'] ?? 0)
  const search = { words, kind, after: Number.isSafeInteger(after) ? after : 0 }
  return { search, words, kind: kind ?? '' }
}

/**
 * A page of another site cannot send this header without being asked first, which no route allows. With
 * sessions the `Csrf` of the project checks the token as well.
 */
function refuseOthers(origins: CsrfOrigins, request: Request): void {
  const isOurs = request.header('x-inspector') === 'explain'
  if (!isOurs || origins.objection(request) !== null) throw new HttpError(403)
}

/**
 * The plan of a statement as text. A record does not say which of a project's databases ran it, so the
 * first one that can plan it is used. If none can, the text is their reason.
 */
async function explainedText(databases: readonly Database[], select: string): Promise<string> {
  let reason = 'the project has no database among its services'
  for (const database of databases) {
    try {
      const lines = await explainSelect(database, select)
      return lines.length === 0 ? 'the database returned no plan' : lines.join('\n')
    } catch (thrown) {
      reason = messageOf(toError(thrown))
    }
  }
  return reason
}
