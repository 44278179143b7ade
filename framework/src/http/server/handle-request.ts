import { Readable } from 'node:stream'
import { toError } from '../../base/to-error.ts'
import type { Throwables } from '../../errors/throwables/throwables.ts'
import type { Emitter, EventChannel } from '../../events/emitter.ts'
import { CurrentWork } from '../../activity/current-work.ts'
import type { Catcher } from '../errors/catcher.ts'
import { emitRefusal } from '../request/security-events.ts'
import { ErrorFormats, errorFormatOf } from '../errors/error-format.ts'
import type { PrepareErrorPage } from '../errors/error-values.ts'
import { reportInRequest, RequestActivity } from '../request/request-activity.ts'
import { EventStream } from '../live/event-stream.ts'
import { RequestEvents } from '../request/request-events.ts'
import { Request } from '../request/request.ts'
import type { HeadHook } from '../request/request.ts'
import { Response } from '../response/response.ts'
import type { Destination } from '../router/compose.ts'
import type { Pipeline } from '../router/pipeline.ts'
import type { Application } from './application.ts'
import type { Exchange, Receiver, FlatHeaders } from './engine/engine.ts'

interface HandlingOptions {
  readonly application: Application
  readonly pipeline: Pipeline
  readonly catcher: Catcher
  readonly emitter: Emitter
  readonly throwables: Throwables
  /** Loads the values for error pages; null for none. */
  readonly prepareErrorPage: PrepareErrorPage | null
  /** Path of the native probe, or null. */
  readonly health: string | null
}

/**
 * The life of a request, from the engine to its final event. The synchronous and asynchronous paths are
 * written out separately: most responses are synchronous, and a promise for each of them would cost
 * more than everything else here.
 */
export function requestHandler(options: HandlingOptions): Receiver {
  const { application, pipeline, catcher, throwables, prepareErrorPage, health } = options
  const channels = new RequestChannels(options.emitter)

  return (exchange) => {
    if (health !== null && respondToProbe(exchange, health)) return
    const request = Request.from(exchange, application)
    const response = new Response(request, application)
    if (!CurrentWork.isFollowed) {
      channels.received(request)
      handle(exchange, request, response)
      return
    }
    const activity = new RequestActivity(request)
    request.activity = activity
    // The engine calls this as the last thing of a callback of its own.
    CurrentWork.enterActivity(activity)
    channels.received(request)
    handle(exchange, request, response)
  }

  function handle(exchange: Exchange, request: Request, response: Response): void {
    let destination: Destination = pipeline.unrouted
    try {
      destination = pipeline.locate(request)
      const outcome = destination.run(request, response)
      if (outcome instanceof Response) write(exchange, request, outcome, destination)
      else {
        // Only here: during a synchronous handler the client cannot disconnect.
        if (channels.watchesGone) exchange.onGone(() => tellGone(exchange, request))
        outcome.then(
          (returned) => write(exchange, request, returned, destination),
          (thrown: unknown) => respondToThrown(exchange, request, response, thrown, destination),
        )
      }
    } catch (thrown) {
      respondToThrown(exchange, request, response, thrown, destination)
    }
  }

  function tellGone(exchange: Exchange, request: Request): void {
    if (!exchange.began) channels.gone(request)
  }

  function respondToThrown(
    exchange: Exchange,
    request: Request,
    response: Response,
    thrown: unknown,
    destination: Destination,
  ): void {
    emitRefusal(thrown, request, options.emitter)
    const respond = (): void =>
      write(exchange, request, catcher.respond(request, response, toError(thrown)), destination)
    const isPage = errorFormatOf(request) === ErrorFormats.Page
    if (isPage && prepareErrorPage !== null) void prepareErrorPage(request, response).then(respond)
    else respond()
  }

  function write(
    exchange: Exchange,
    request: Request,
    response: Response,
    destination: Destination,
  ): void {
    if (request.headHooks !== null) callHeadHooks(request, response, request.headHooks)
    for (const finisher of destination.finishers) {
      try {
        finisher(request, response)
      } catch (thrown) {
        reportInRequest(throwables, thrown, request)
      }
    }
    const { body = null } = response
    if (!(body instanceof Readable)) {
      exchange.respond(response.code, response.headers.flat, body)
      if (request.disposable) request.dispose()
      channels.handled(request, response)
      return
    }
    let isHandled = false
    const handled = (): void => {
      if (!isHandled) channels.handled(request, response)
      isHandled = true
    }
    const ended = (): void => {
      if (request.disposable) request.dispose()
      handled()
    }
    const isEvents = body instanceof EventStream
    if (isEvents) {
      body.disconnect = () => exchange.destroy()
      // Nothing follows on this connection, so it is over with the stream, and a drain need not wait for it.
      exchange.closeAfter()
    }
    // Events may take hours, so such a request counts as handled when they have begun: durations stay those
    // of handlers, and what is open has metrics of its own.
    const begun = isEvents ? handled : undefined
    exchange.stream(response.code, response.headers.flat, body, begun).then(ended, (thrown) => {
      if (!exchange.began) return respondToThrown(exchange, request, response, thrown, destination)
      // The headers are sent: all that is left is to show the client that the response is incomplete.
      exchange.destroy()
      reportInRequest(throwables, thrown, request)
      ended()
    })
  }

  function callHeadHooks(request: Request, response: Response, hooks: readonly HeadHook[]): void {
    for (const hook of hooks) {
      try {
        hook(response.headers)
      } catch (thrown) {
        reportInRequest(throwables, thrown, request)
      }
    }
  }
}

const probeBody = '{"status":"ok"}'
const probeHeaders: FlatHeaders = [
  'Content-Type',
  'application/json; charset=utf-8',
  'Cache-Control',
  'no-store',
  'X-Content-Type-Options',
  'nosniff',
]

/**
 * Responds to the native health probe: GET and HEAD of exactly that path, before anything else, so that
 * nothing in the project can change or delay it. Returns whether it responded.
 */
function respondToProbe(exchange: Exchange, path: string): boolean {
  if (exchange.target !== path || (exchange.method !== 'GET' && exchange.method !== 'HEAD'))
    return false
  exchange.respond(200, probeHeaders, probeBody)
  return true
}

/**
 * Emits the events of every request. `EventChannel.emit` is written out here for fixed arguments:
 * collecting them in a rest parameter would cost as much as all of telemetry.
 */
export class RequestChannels {
  readonly #received: EventChannel<[request: Request]>
  readonly #gone: EventChannel<[request: Request]>
  readonly #handled: EventChannel<[request: Request, response: Response]>

  constructor(emitter: Emitter) {
    this.#received = emitter.channel(RequestEvents.Received)
    this.#gone = emitter.channel(RequestEvents.Gone)
    this.#handled = emitter.channel(RequestEvents.Handled)
  }

  received(request: Request): void {
    const channel = this.#received
    const { listeners } = channel
    for (let at = 0; at < listeners.length; at += 1) {
      try {
        channel.follow(listeners[at]?.(request))
      } catch (thrown) {
        channel.fail(thrown)
      }
    }
  }

  /** Whether `Gone` has listeners. */
  get watchesGone(): boolean {
    return this.#gone.hasListeners
  }

  gone(request: Request): void {
    this.#gone.emit(request)
  }

  handled(request: Request, response: Response): void {
    const channel = this.#handled
    const { listeners } = channel
    for (let at = 0; at < listeners.length; at += 1) {
      try {
        channel.follow(listeners[at]?.(request, response))
      } catch (thrown) {
        channel.fail(thrown)
      }
    }
  }
}
