import { join } from 'node:path'
import { Views } from '../base/templates/views.ts'
import { moment } from '../devtools/moment.ts'
import { toolFrame } from '../devtools/tools.ts'
import { inspectorPath } from '../devtools/inspector/inspector-path.ts'
import { durationText } from '../devtools/inspector/format.ts'
import { table } from '../errors/page/page-context.ts'
import { excerptLines } from '../errors/page/page-excerpt.ts'
import { htmlDocument } from '../errors/reports/html-document.ts'
import { html } from '../errors/reports/page-text.ts'
import { chainTitles } from '../errors/stack/error-chain.ts'
import type { Excerpt } from '../errors/stack/source-file.ts'
import { csrfToken, tokenField } from '../http/middlewares/csrf-token.ts'
import type { Request } from '../http/request/request.ts'
import type { Response } from '../http/response/response.ts'
import type { Router } from '../http/router/router.ts'
import { ErrorLimits, ErrorStates } from './error-group.ts'
import type { ErrorGroup, ErrorQuery } from './error-group.ts'
import type { SampleFrame } from './error-sample.ts'

const views = new Views(join(import.meta.dirname, 'views'), {
  escape: html,
  globals: {
    accountsText,
    ago,
    chainTitles,
    codes,
    durationText,
    inWords,
    inRelease,
    inspectorPath,
    moment,
    runsOf,
    source,
    table,
    tokenField,
  },
})

/** Sends a page of one view, with the token and the message that all of them have. */
export async function sendPage(
  router: Router,
  request: Request,
  response: Response,
  { title, view, data }: { title: string; view: string; data: Readonly<Record<string, unknown>> },
): Promise<Response> {
  // Such as that a form has expired.
  const message = await request.session.flash('message')
  const notice = typeof message === 'string' ? message : ''
  const isThere = (path: string): boolean => router.routes().some(({ pattern }) => pattern === path)
  const [hasErrors, inspects] = [isThere('/errors'), isThere(inspectorPath)]
  const all = { ...data, notice, hasErrors, inspects, token: await csrfToken(request) }
  const frame = toolFrame(router, request, response)
  const body = views.render(view, all)
  return response.html(htmlDocument({ title, page: 'inbox', body, ...frame }))
}

/** A message of the teller as the HTML of a mail. */
export function newsMail(news: object): string {
  return views.render('news', { news })
}

/** A button; `release` resolves a group until the next release. */
interface Action {
  readonly path: 'resolve' | 'mute' | 'reopen'
  readonly button: string
  readonly release?: boolean
}

/** The buttons that decide about a group. */
export function actionsOf({ state }: ErrorGroup, release: string): readonly Action[] {
  const actions: Action[] = []
  if (state !== ErrorStates.Resolved) {
    actions.push({ path: 'resolve', button: 'Resolve' })
    const button = 'Resolve in the next release'
    if (release !== '') actions.push({ path: 'resolve', button, release: true })
  }
  if (state !== ErrorStates.Muted) actions.push({ path: 'mute', button: 'Mute' })
  if (state !== ErrorStates.Open) actions.push({ path: 'reopen', button: 'Reopen' })
  return actions
}

/** The number of accounts; beyond what is kept, at least so many. */
function accountsText(accounts: number): string {
  return accounts < ErrorLimits.accounts ? String(accounts) : `${ErrorLimits.accounts}+`
}

/** Seconds, roughly: `90 s`, `12 min`, `30 h`, `4 days`. */
function inWords(seconds: number): string {
  if (seconds < 100) return `${Math.round(seconds)} s`
  if (seconds < 6_000) return `${Math.round(seconds / 60)} min`
  return seconds < 172_800
    ? `${Math.round(seconds / 3_600)} h`
    : `${Math.round(seconds / 86_400)} days`
}

/** How long ago something was, with the moment itself. */
function ago(epoch: number, now: number): string {
  const seconds = now - epoch
  const text = seconds < 5 ? 'just now' : `${inWords(seconds)} ago`
  return moment(epoch).replace(/^<time (.*)>(.*)<\/time>$/, `<time $1 title="$2">${text}</time>`)
}

function source(file: string, { first, lines, marked }: Excerpt): string {
  const above = Array<string>(first - 1).fill('')
  return excerptLines({ file, line: marked }, [...above, ...lines])
}

function codes(texts: readonly string[]): string {
  return texts.map((text) => `<code>${html(text)}</code>`).join(', ')
}

function inRelease(release: string): string {
  return release === '' ? '' : ` in ${release}`
}

/** Calls of the project one by one, and the others between them together. */
function runsOf(frames: readonly SampleFrame[]): readonly SampleFrame[][] {
  const runs: SampleFrame[][] = []
  for (const frame of frames) {
    const last = runs.at(-1)
    if (frame.isOwn || last === undefined || last[0]?.isOwn === true) runs.push([frame])
    else last.push(frame)
  }
  return runs
}

interface Change {
  readonly state?: ErrorStates
  readonly order?: ErrorQuery['order']
  readonly page?: number
}

/** A link to the list, with something else of it. */
export function linkTo(query: ErrorQuery, { state, order, page = 1 }: Change): string {
  const parameters = new URLSearchParams({
    state: state ?? query.state,
    order: order ?? query.order,
    ...(query.search !== '' && { q: query.search }),
    ...(page > 1 && { page: String(page) }),
  })
  return `/errors?${parameters.toString()}`
}
