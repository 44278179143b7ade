import { setTimeout as sleep } from 'node:timers/promises'
import { messageOf, toError } from '../../base/to-error.ts'
import { isRecord } from '../../base/is-record.ts'
import { explainSelect } from '../../database/explain-select.ts'
import type { Database } from '../../database/surface.ts'
import { HttpError } from '../../http/errors/http-error.ts'
import { CsrfOrigins } from '../../http/middlewares/csrf-origins.ts'
import type { Request } from '../../http/request/request.ts'
import type { Middleware } from '../../http/router/middleware.ts'
import type { Router } from '../../http/router/router.ts'
import { inFleet } from '../../http/server/fleet/workers.ts'
import type { ServerHost } from '../../http/server/server-host.ts'
import { defaultRepeats } from '../../logs/logs-settings.ts'
import { forDevelopers, pageToken } from '../for-developers.ts'
import { PageEvents } from '../page-events.ts'
import { allowModules } from '../page-modules.ts'
import { rowEvents } from '../row-events.ts'
import { toolFrame } from '../tools.ts'
import { activityPage } from './activity-page.ts'
import type { ActivityRecord } from './activity-record.ts'
import { inspectorPath, isInspectorPath } from './inspector-path.ts'
import { listPage, listRow } from './list-page.ts'
import { declareInspectorModules } from './page-frame.ts'
import { kindNamed, RecordFile, recordPath } from './record-file.ts'
import type { RecordSearch } from './record-file.ts'
import { recordProcess } from './record-process.ts'
import { recordRequests } from './record-requests.ts'
import { RequestPhases } from './request-phases.ts'

/** Options of `inspectorRoutes`. */
export interface InspectorOptions {
  /** Folder of the project. */
  readonly root: string
  /** Whether clients on other machines may look too, as `DEBUG_REMOTE` says. @default false */
  readonly remote?: boolean
  /**
   * A number for the servers that `--watch` starts one after the other: each keeps the records of those
   * before. Without one every start deletes the earlier records.
   * @default null
   */
  readonly run?: number | null
  /** How often a statement from one line counts as N+1, as `N_PLUS_ONE` says; 0 for never. @default 4 */
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
  options: InspectorOptions,
): void {
  if (router.routes().some(({ pattern }) => isInspectorPath(pattern))) return
  recordWhileServing(server, options)
  const { root, remote = false } = options
  const file = new RecordFile(recordPath(root))
  const databases = databasesIn(services)
  const guard = [forDevelopers(remote)]
  declareRecords(router, server, { file, root, databases, guard, areKept: false })
}

/** The records that `declareRecords` shows. */
export interface RecordsContext {
  readonly file: RecordFile
  /** Folder of the project. */
  readonly root: string
  /** Where statements can be explained. */
  readonly databases: readonly Database[]
  readonly guard: readonly Middleware[]
  /** Whether only the worst requests are there. */
  readonly areKept: boolean
}

/** Declares the list of the records in a file, and the page of each. */
export function declareRecords(router: Router, server: ServerHost, context: RecordsContext): void {
  const { file, root, databases, guard, areKept } = context
  server.onClose(() => file.close())
  const pages = new PageEvents(server)
  const origins = new CsrfOrigins([])

  const one = (number: number): ActivityRecord => {
    const record = file.read(number)
    if (record === null) throw new HttpError(404, `record ${number} is not there, or not any more`)
    return record
  }

  const rowsOf = ({ query }: Request): readonly (readonly string[])[] =>
    file.list(searchOf(query)).map(listRow)

  router.group(
    inspectorPath,
    (group) => {
      group.get('/', (request, response) => {
        const search = searchOf(request.query)
        const records = file.list(search)
        const frame = toolFrame(router, request, response)
        return allowModules(response, 'self').html(listPage({ ...search, records, frame, areKept }))
      })
      // A worker knows of what other processes have done only from the file.
      group.get('/events', (request, response) =>
        pages.send(request, response, (signal) => {
          const rows = (): ReturnType<typeof rowsOf> => rowsOf(request)
          return rowEvents({ rows, change: () => file.lastChange() }, signal)
        }),
      )
      // Polled by the list while it has no events.
      group.get('/rows', (request, response) => response.json(rowsOf(request)))
      group.get('/:kind<request|job|command|task>/:id', async ({ params }, response) => {
        const kind = kindNamed(params.kind)
        const find = (): number | null => (kind === null ? null : file.find(kind, params.id))
        let number = find()
        // The link of a debug page may be followed before the record is written.
        for (let waits = 0; number === null && waits < maxWaits; waits += 1) {
          await sleep(waitMs)
          number = find()
        }
        if (number !== null) return response.redirect(`${inspectorPath}/${number}`)
        throw new HttpError(404, `there is no record of this ${params.kind}`)
      })
      group.get('/:number<int>', async (request, response) => {
        const { number } = request.params
        const record = one(number)
        return allowModules(response, 'self').html(
          activityPage({
            record,
            number,
            ...file.neighbours(number),
            root,
            frame: toolFrame(router, request, response),
            token: await pageToken(request),
            explains: databases.length > 0,
            hasMails: router.routes().some(({ pattern }) => pattern === '/mails/of/:message'),
          }),
        )
      })
      if (databases.length > 0)
        group.post('/:number<int>/explain/:text<int>', async (request, response) => {
          refuseOthers(origins, request)
          const { number, text } = request.params
          const statement = one(number).texts[text]
          if (statement === undefined) throw new HttpError(404, 'the record has no such statement')
          const plan = await explainedText(databases, statement)
          return response.json({ plan })
        })
      declareInspectorModules(group)
    },
    guard,
  )
}

/** Deletes the records of an earlier run: before the first request, or in the primary of a fleet. */
export function emptyRecords({ root, run = null }: InspectorOptions): void {
  const file = new RecordFile(recordPath(root))
  try {
    file.startRun(run)
  } catch {
    // The records are not worth a server that does not start.
  } finally {
    file.close()
  }
}

function recordWhileServing(server: ServerHost, options: InspectorOptions): void {
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

function searchOf(query: Readonly<Record<string, string>>): Required<RecordSearch> {
  const words = (query['q'] ?? '').slice(0, 500)
  return { words, kind: kindNamed(query['kind']), all: query['all'] === '1' }
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
