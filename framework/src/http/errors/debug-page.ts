import { relative } from 'node:path'
import type { Activity } from '../../activity/activity.ts'
import { shownCaller } from '../../activity/caller.ts'
import { Crumbs } from '../../activity/crumbs.ts'
import { failedStepOf } from '../../activity/failed-step.ts'
import { sentStatements } from '../../activity/repeated-statements.ts'
import type { SentStatement } from '../../activity/repeated-statements.ts'
import { shownText } from '../../activity/shown-statement.ts'
import { maskText, REDACTED } from '../../base/mask-text.ts'
import { messageOf } from '../../base/to-error.ts'
import { Page } from '../../errors/page/page.ts'
import type { PageContext } from '../../errors/page/page.ts'
import { className } from '../../errors/reports/class-name.ts'
import { framesOf, isOwn, throwPoint } from '../../errors/stack/frames.ts'
import type { Frame } from '../../errors/stack/frames.ts'
import type { Request } from '../request/request.ts'
import { shownPath } from '../request/shown-path.ts'
import type { Response } from '../response/response.ts'

/**
 * Fills the response with the debug page; `root` is the folder that file paths are relative to. Its CSP
 * allows nothing but its own inline parts.
 */
export function debugPage(
  request: Request,
  response: Response,
  error: Error,
  root: string,
): Response {
  const { nonce } = response
  response.header(
    'Content-Security-Policy',
    `default-src 'none'; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'; img-src data:; ` +
      `base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  )
  const failed = failedStepOf(error)
  return response.html(
    Page.render(error, debugContext(request), {
      nonce,
      request: request.id,
      root,
      inspector: inspectorUrl(request),
      statement: failed === null ? '' : shownText(failed.step),
      folded: request.activity === null ? {} : queriesOf(request.activity, root),
    }),
  )
}

// The page masks secrets in it.
function debugContext(request: Request): PageContext {
  const { activity } = request
  return withoutEmpty({
    Request: {
      method: request.method,
      path: shownPath(request),
      peer: request.peer,
      id: request.id,
      account: activity?.account ?? 'none',
    },
    Route: { pattern: request.route ?? 'none', ...request.params },
    Query: { ...request.query },
    Headers: { ...request.headers },
    Cookies: Object.fromEntries([...request.cookies.all().keys()].map((name) => [name, REDACTED])),
    Fields: fieldsOf(request),
    Process: {
      node: process.version,
      pid: process.pid,
      uptime: `${process.uptime().toFixed(1)} s`,
    },
    Log: logLines(activity),
  })
}

/** The last log lines of the request, numbered; none unless they are kept. */
function logLines(activity: Activity | null): Record<number, string> {
  const lines = Crumbs.of(activity)
    .filter(({ kind }) => kind === 'log')
    .map(({ name, text }, at) => [at + 1, `${name.toUpperCase()} ${text}`] as const)
  return Object.fromEntries(lines)
}

/** More would bury the error; the inspector has all of them. */
const maxQueries = 20

/** What the request has asked databases so far; empty unless something counts it. */
function queriesOf(activity: Activity, root: string): PageContext {
  const sent = sentStatements(activity)
  if (sent.length === 0) return {}
  const rows = sent
    .slice(0, maxQueries)
    .map(({ kind, statement, caller, count, durationMs }, at) => [
      `${at + 1} ${kind}${count === 1 ? '' : ` ×${count}`}, ${durationMs.toFixed(1)}\u00A0ms`,
      caller === null ? statement : `${statement}\nat ${shownCaller(caller, root)}`,
    ])
  if (sent.length > maxQueries) rows.push(['more', `${sent.length - maxQueries} others`])
  const [count, ms] = [sum(sent, 'count'), sum(sent, 'durationMs')]
  const title = `${count} ${count === 1 ? 'query' : 'queries'} in ${ms.toFixed(1)} ms`
  return { [title]: Object.fromEntries(rows) }
}

function sum(sent: readonly SentStatement[], of: 'count' | 'durationMs'): number {
  return sent.reduce((total, one) => total + one[of], 0)
}

function withoutEmpty(sections: Record<string, object>): PageContext {
  return Object.fromEntries(
    Object.entries(sections).filter(([, section]) => Object.keys(section).length > 0),
  )
}

function fieldsOf(request: Request): Record<string, unknown> {
  try {
    return { ...request.fields }
  } catch {
    // The form has not been read, and an error page must not start reading it.
    return {}
  }
}

// Empty if the request is not recorded.
function inspectorUrl({ id, activity }: Request): string {
  return activity?.recorded === true ? `/inspect/request/${encodeURIComponent(id)}` : ''
}

/** The line of the project that has thrown an error; empty if it was thrown elsewhere. */
export function ownLineOf(error: Error, root: string): string {
  const point = throwPoint(error)
  return point !== null && isOwn(point) ? shownCaller(point, root) : ''
}

/**
 * The JSON in place of the page, for programs: secrets in messages are masked, and files relative to the project.
 * The nearest call comes first; of calls all members are strings.
 */
export function developmentPayload(error: Error, root: string): object {
  const frames = framesOf(error)
  const at = frames.find(({ line }) => line > 0)
  return {
    error: maskText(className(error)),
    message: messageOf(error),
    file: at === undefined ? '' : shownFile(at, root),
    line: at?.line ?? 0,
    trace: frames.map((frame, index) => ({
      index: String(index + 1),
      file: shownFile(frame, root),
      line: String(frame.line),
      call: frame.call,
    })),
  }
}

function shownFile({ file }: Frame, root: string): string {
  const inside = relative(root, file)
  return file.startsWith('/') && !inside.startsWith('..') ? inside : file
}
