import { html } from '../../errors/reports/page-text.ts'
import { seesDetails } from '../../http/errors/sees-details.ts'
import type { Request } from '../../http/request/request.ts'
import type { Response } from '../../http/response/response.ts'
import { mapResponse } from '../../http/router/middleware.ts'
import type { MiddlewareObject, Next } from '../../http/router/middleware.ts'
import { Phases } from '../../http/router/phases.ts'
import type { MiddlewarePhase } from '../../http/router/phases.ts'
import { addToPage } from '../../http/watch/live-reload.ts'
import type { ActivityRecord } from './activity-record.ts'
import { countText, durationText } from './format.ts'
import { isToolPath } from '../tools.ts'
import { inspectorPath } from './inspector-path.ts'
import { Recorder } from './recorder.ts'

/** An attribute by which a page that has the badge is known. */
const mark = 'data-dev-badge'

/**
 * Adds a badge to every page in development: how long it took, its queries and errors until then, and a
 * link to its record. As the innermost middleware it does so before a page is compressed.
 */
export class Badge implements MiddlewareObject {
  /** With one, as nothing of a route moves past a middleware without: guards would come after `Csrf`. */
  readonly phase: MiddlewarePhase = Phases.Guard
  readonly #remote: boolean

  /** Only clients on this machine can open the record, unless `remote` is true. */
  constructor(remote: boolean) {
    this.#remote = remote
  }

  process(request: Request, _response: Response, next: Next): Response | Promise<Response> {
    return mapResponse(next(), (returned) => this.#add(request, returned))
  }

  /** Error pages are made outside the chain. */
  finish(request: Request, response: Response): void {
    this.#add(request, response)
  }

  #add(request: Request, response: Response): Response {
    const { activity, path } = request
    // Tools are not what a developer looks at.
    if (activity === null || isToolPath(path)) return response
    if (!this.#remote && !seesDetails(request)) return response
    return addToPage(response, mark, () => {
      const record = Recorder.Instance?.soFar(activity) ?? null
      return record === null ? '' : badge(record, response.nonce)
    })
  }
}

/** In a shadow tree neither the styles of the page nor those of the badge reach the other. */
function badge({ id, durationMs, ...record }: ActivityRecord, nonce: string): string {
  const errors = errorsIn(record)
  const wrong = [
    ...(record.repeats.length === 0 ? [] : ['N+1']),
    ...(errors === 0 ? [] : [countText(errors, 'error', 'errors')]),
  ]
  const queries = countText(record.statements, 'query', 'queries')
  const text = [durationText(durationMs), queries, ...wrong].join(' · ')
  const url = `${inspectorPath}/request/${encodeURIComponent(id)}`
  return (
    `<aside ${mark} aria-label="Development" lang="en" hidden><template shadowrootmode="open">` +
    `<style nonce="${nonce}">${style}</style><a href="${html(url)}" dir="ltr"` +
    `${wrong.length === 0 ? '' : ' class="wrong"'} aria-label="${text}: open in the inspector">${text}</a>` +
    `</template></aside>\n`
  )
}

/** What was thrown is logged too. */
function errorsIn({
  incidents,
  lines,
  dropped,
}: Omit<ActivityRecord, 'id' | 'durationMs'>): number {
  const logged = lines.filter(
    ({ level, channel }) => /^(?:ERROR|FATAL)$/.test(level) && channel !== 'exceptions',
  )
  return logged.length + incidents.length + dropped.incidents
}

// The badge is hidden where a policy forbids the style.
const style = `
:host {
  all: initial !important;
  display: block !important;
  position: fixed !important;
  inset-block-end: .5rem !important;
  inset-inline-end: .5rem !important;
  z-index: 2147483647 !important;
  color-scheme: light dark !important;
}
@media print { :host { display: none !important } }
a {
  display: block;
  padding: .2rem .7rem;
  border: 1px solid;
  border-radius: 1rem;
  background: light-dark(#fffefb, #1c1f26);
  color: light-dark(#20242c, #e8e6e1);
  font: 600 .8125rem/1.4 ui-sans-serif, system-ui, sans-serif;
  font-variant-numeric: tabular-nums;
  text-decoration: none;
  white-space: nowrap;
}
.wrong { background: light-dark(#fbe6e1, #43211f); color: light-dark(#a8281c, #ff9b8a) }
a:hover { text-decoration: underline }
a:focus-visible { outline: 2px solid; outline-offset: 2px }
`.replaceAll(/\n\s*/g, '')
