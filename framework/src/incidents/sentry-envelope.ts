import { randomUUID } from 'node:crypto'
import { maskSource, maskText } from '../base/mask-text.ts'
import type { Description } from '../errors/reports/description.ts'
import { Relations } from '../errors/stack/error-chain.ts'
import { fileLabel } from '../errors/stack/file-label.ts'
import { Origins } from '../errors/stack/frames.ts'
import type { Frame } from '../errors/stack/frames.ts'
import { excerptOf } from '../errors/stack/source-file.ts'
import type { Incident } from './incident.ts'
import { isFatal } from './incident.ts'
import type { ReportSource } from './incident-target.ts'
import { shownContext, textIn, shownStep, wellFormedJson } from './shown-incident.ts'

/** Sentry refuses longer tags. */
const maxTagLength = 200

/** An incident as an envelope of Sentry with one event. */
export function sentryEnvelope(incident: Incident, source: ReportSource, nowMs: number): string {
  const id = randomUUID().replaceAll('-', '')
  const event = wellFormedJson({ event_id: id, ...eventOf(incident, source) })
  const header = { event_id: id, sent_at: new Date(nowMs).toISOString() }
  const length = Buffer.byteLength(event)
  const item = { type: 'event', content_type: 'application/json', length }
  return `${JSON.stringify(header)}\n${JSON.stringify(item)}\n${event}\n`
}

function eventOf(incident: Incident, source: ReportSource): object {
  const { at, chain, activity } = incident
  const account = activity?.account ?? null
  const { release, environment, host, root } = source
  return {
    timestamp: at,
    platform: 'node',
    level: isFatal(incident) ? 'fatal' : 'error',
    logger: 'exceptions',
    environment,
    server_name: host,
    ...(release !== '' && { release }),
    ...(activity !== null && { transaction: activity.title }),
    // The innermost cause first.
    exception: { values: chain.map((one) => exceptionOf(one, incident, root)).toReversed() },
    ...requestOf(incident, source),
    ...(account !== null && { user: { id: account } }),
    tags: tagsOf(incident),
    contexts: contextsOf(incident, root),
    extra: { ...shownContext(incident), ...propertiesOf(chain) },
  }
}

function exceptionOf(one: Description, incident: Incident, root: string): object {
  const { relation, class: type, message: value, frames } = one
  const mechanism =
    relation === Relations.Thrown
      ? // What came from a handler, or ended the process, was not caught by the project.
        { type: 'generic', handled: !isFatal(incident) && incident.activity === null }
      : { type: 'chained', handled: true }
  const stacktrace = { frames: sentryFrames(frames, root) }
  return { type, value, mechanism, ...(frames.length > 0 && { stacktrace }) }
}

function requestOf(incident: Incident, { url }: ReportSource): object {
  const method = textIn(incident, 'method')
  const path = textIn(incident, 'URI')
  if (method === '') return {}
  return { request: { method, url: path.startsWith('/') ? url + path : path } }
}

function tagsOf({ code, activity }: Incident): object {
  const tags = {
    ...(code !== null && { code }),
    ...(activity !== null && { [activity.kind]: activity.id }),
  }
  const entries = Object.entries(tags).map(([name, text]) => [name, text.slice(0, maxTagLength)])
  return Object.fromEntries(entries)
}

function contextsOf({ span, step }: Incident, root: string): object {
  return {
    runtime: { name: 'node', version: process.version },
    ...(span !== null && { trace: { trace_id: span.traceId, span_id: span.spanId } }),
    ...(step !== null && { step: shownStep(step, root) }),
  }
}

/** The properties of the errors by class: Sentry has no place for them beside each error. */
function propertiesOf(chain: readonly Description[]): object {
  const listed = chain.flatMap(({ class: name, properties }) =>
    properties.map((property) => [`${name}.${property.name}`, property.preview] as const),
  )
  return listed.length === 0 ? {} : { properties: Object.fromEntries(listed) }
}

/** Lines of source on each side of a call. */
const margin = 5
/** Only so many calls of an error are shown with their source. */
const maxExcerpts = 5
const maxLineLength = 200

/** A stack as Sentry wants it: the oldest call first, files relative to `root`, secrets masked. */
export function sentryFrames(frames: readonly Frame[], root: string): readonly object[] {
  let excerpts = 0
  const shown = frames.map((frame) => {
    const isOwn = frame.origin === Origins.Application
    const withSource = isOwn && frame.line > 0 && excerpts < maxExcerpts
    if (withSource) excerpts += 1
    return {
      function: frame.call === '' ? '?' : maskText(frame.call),
      filename: maskText(fileLabel(frame.file, root)),
      ...(frame.line > 0 && { lineno: frame.line, colno: frame.column }),
      in_app: isOwn,
      ...(withSource && sourceOf(frame)),
    }
  })
  return shown.toReversed()
}

function sourceOf({ file, line }: Frame): object {
  const excerpt = excerptOf(file, line, margin)
  if (excerpt === null) return {}
  // A secret in the code is a mistake; it should not leave the machine as well.
  const lines = excerpt.lines.map((text) => maskSource(text).slice(0, maxLineLength))
  const at = line - excerpt.first
  return {
    pre_context: lines.slice(0, at),
    context_line: lines[at] ?? '',
    post_context: lines.slice(at + 1),
  }
}
