import { randomUUID } from 'node:crypto'
import type { EventStream } from '../live/event-stream.ts'
import type { Request } from '../request/request.ts'
import type { Response } from '../response/response.ts'
import { mapResponse } from '../router/middleware.ts'
import type { MiddlewareObject, Next } from '../router/middleware.ts'
import { Phases } from '../router/phases.ts'
import type { MiddlewarePhase } from '../router/phases.ts'
import type { ServerHost } from '../server/server-host.ts'
import { sendToWatcher, onWatcher } from './watch-messages.ts'

/** Path of the events that tell pages of changed files. */
const liveReloadPath = '/live-reload'

/** An attribute of the script, by which a page that has it is known. */
export const liveReloadMark = 'data-live-reload'

/** More pages than anybody has open; the oldest are let go. */
const maxPages = 100

/**
 * Reloads pages in the browser when a file has changed, for a server under `--watch` in development. It
 * adds a script to every page. As the innermost middleware it does so before a page is compressed.
 */
export class LiveReload implements MiddlewareObject {
  /** With one, as nothing of a route moves past a middleware without: guards would come after `Csrf`. */
  readonly phase: MiddlewarePhase = Phases.Guard
  /** Tells pages of an earlier process from those of this one. */
  readonly #run = randomUUID().slice(0, 8)
  readonly #pages = new Set<EventStream>()
  #changes = 0

  attach({ onClose }: Pick<ServerHost, 'onClose'>): void {
    onClose(
      onWatcher((message) => {
        if (message.type === 'framework:changed') this.changed(message.files)
      }),
    )
    sendToWatcher({ type: 'framework:live' })
  }

  process(request: Request, response: Response, next: Next): Response | Promise<Response> {
    const { method, path } = request
    if (method === 'GET' && path === liveReloadPath) return this.#connect(response)
    return mapResponse(next(), (returned) => this.#addScript(returned))
  }

  /** Error pages are made outside the chain. */
  finish(_request: Request, response: Response): void {
    this.#addScript(response)
  }

  /** Tells every page; paths are relative to the project. */
  changed(files: readonly string[]): void {
    this.#changes += 1
    const onlyStyles = files.every((file) => /^public[\\/].*\.css$/.test(file))
    for (const page of this.#pages) this.#tell(page, onlyStyles ? 'styles' : 'state')
  }

  get #state(): string {
    return `${this.#run}-${this.#changes}`
  }

  #connect(response: Response): Response {
    const page = response.events(null, { retry: 0.3 })
    this.#pages.add(page)
    page.once('close', () => this.#pages.delete(page))
    if (this.#pages.size > maxPages) this.#pages.values().next().value?.end()
    this.#tell(page, 'state')
    return response
  }

  #tell(page: EventStream, event: 'state' | 'styles'): void {
    page.send(event, this.#state)
  }

  #addScript(response: Response): Response {
    const { headers, code } = response
    return addToPage(response, liveReloadMark, () => {
      const policy = headers.get('Content-Security-Policy')
      if (policy !== undefined) {
        // The pages of the framework bring their own policy; of those only the debug page is reloaded.
        if (code < 500 || policy.includes('connect-src')) return ''
        headers.set('Content-Security-Policy', `${policy}; connect-src 'self'`)
      }
      return liveReloadScript(this.#state, response.nonce)
    })
  }
}

/** Adds HTML to the end of a whole page that has no `mark` yet; other responses stay as they are. */
export function addToPage(response: Response, mark: string, html: () => string): Response {
  const { body, headers } = response
  if (typeof body !== 'string' || !headers.get('Content-Type')?.startsWith('text/html')) {
    return response
  }
  const end = body.lastIndexOf('</body>')
  if (end === -1 || body.includes(mark)) return response
  response.replaceBody(`${body.slice(0, end)}${html()}${body.slice(end)}`)
  return response
}

/**
 * The script that reloads a page when its server or a file has changed since `state`, and swaps styles in
 * place. A page in the background is not connected: browsers allow six connections to a site.
 */
function liveReloadScript(state: string, nonce: string): string {
  return `<script nonce="${nonce}" ${liveReloadMark}>(() => {
  let state = '${state}', source
  const swapStyles = () => {
    for (const link of document.querySelectorAll('link[rel~="stylesheet"]')) {
      const url = new URL(link.href)
      if (url.origin !== location.origin) continue
      url.searchParams.set('live', state)
      const fresh = link.cloneNode()
      fresh.href = url.href
      fresh.onload = fresh.onerror = () => link.remove()
      link.after(fresh)
    }
  }
  const open = () => {
    source?.close()
    if (document.hidden) return
    source = new EventSource('${liveReloadPath}')
    source.addEventListener('state', ({ data }) => { if (JSON.parse(data) !== state) location.reload() })
    source.addEventListener('styles', ({ data }) => { state = JSON.parse(data); swapStyles() })
    source.onerror = () => { if (source.readyState === 2) setTimeout(open, 1000) }
  }
  document.addEventListener('visibilitychange', open)
  open()
})()</script>\n`
}
