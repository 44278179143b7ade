import type { EventsSource } from '../http/live/event-streams.ts'
import { EventStreams } from '../http/live/event-streams.ts'
import { eventStreamHeaders, eventStreamType } from '../http/live/event-text.ts'
import type { Request } from '../http/request/request.ts'
import type { Response } from '../http/response/response.ts'
import { Worker } from '../http/server/fleet/worker-events.ts'
import type { ServerHost } from '../http/server/server-host.ts'

/** Creates the events of one page, which end with the signal. */
type PageSource<Events extends object> = (signal: AbortSignal) => EventsSource<Events>

/** More pages than anybody has open in one worker; others poll. */
const maxPages = 50
const limits = {
  eventStreams: maxPages,
  eventStreamsPerPeer: 0,
  eventHeartbeat: 15,
  eventBacklog: 1_048_576,
}

/**
 * Event streams for our own pages, such as that of the metrics. They have places of their own, so that a
 * page that a developer leaves open takes none of the site's, and are not in its metrics.
 */
export class PageEvents {
  readonly #streams = new EventStreams(limits, { isMeasured: false })

  constructor({ emitter, onClose }: ServerHost) {
    onClose(emitter.listen(Worker.Shutdown, () => this.#streams.drain()))
    onClose(() => this.#streams.close())
  }

  /**
   * Sends events until the page is closed or the server stops.
   * @throws HttpError 503 if too many pages are open.
   */
  send<Events extends object>(
    { peer, method }: Request,
    response: Response,
    source: PageSource<Events>,
  ): Response {
    const closed = new AbortController()
    const client = { peer, method, lastId: null }
    const stream = this.#streams.create<Events>(client, source(closed.signal))
    stream.once('close', () => closed.abort())
    for (const [name, value] of eventStreamHeaders) response.header(name, value)
    return response.stream(stream, eventStreamType)
  }
}
