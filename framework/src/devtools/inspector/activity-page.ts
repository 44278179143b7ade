import type { ActivityKinds } from '../../activity/activity.ts'
import type { CallSite } from '../../activity/caller.ts'
import { repeatFix } from '../../activity/repeated-statements.ts'
import { StepKinds } from '../../activity/step.ts'
import { isSelect } from '../../database/explain-select.ts'
import { editorLink } from '../../errors/page/editor-link.ts'
import { table } from '../../errors/page/page-context.ts'
import { chainedError, errorBody, errorHeading } from '../../errors/page/page-error.ts'
import { html } from '../../errors/reports/page-text.ts'
import { fileLabel } from '../../errors/stack/file-label.ts'
import type { Incident, IncidentStep } from '../../incidents/incident.ts'
import type { ToolFrame } from '../tools.ts'
import type { ActivityRecord, RecordedStep } from './activity-record.ts'
import { countText, durationText, kindTitle, timeText } from './format.ts'
import { inspectorPath } from './inspector-path.ts'
import { documentOf } from './page-frame.ts'
import { noStep, share, tickText, timelineOf } from './timeline.ts'
import type { Timeline } from './timeline.ts'

/** What the page of an activity is made of. */
export interface ActivityView {
  readonly record: ActivityRecord
  /** The place of the record in the file. */
  readonly number: number
  /** Numbers of the records before and after it. */
  readonly older: number | null
  readonly newer: number | null
  /** Folder that file paths are shown relative to. */
  readonly root: string
  readonly frame: ToolFrame
  /** The token that the project's `Csrf` asks for; empty without sessions. */
  readonly token: string
  /** Whether statements can be explained. */
  readonly explains: boolean
  /** Whether mails can be shown. */
  readonly hasMails: boolean
}

const kinds: ReadonlySet<string> = new Set([...Object.values(StepKinds), noStep])

const toneOfKind = (kind: string): string => (kinds.has(kind) ? kind.replace(' ', '-') : 'other')

/** The page of one request, job or command. */
export function activityPage({ frame, token, ...view }: ActivityView): string {
  const { record, number, root, hasMails } = view
  const { kind, subject, status, durationMs, incidents, dropped } = record
  const timeline = timelineOf(record)
  const tables = record.tables.map(({ title, rows }) => ({
    id: title.toLowerCase().replaceAll(/[^a-z]+/g, '-'),
    title,
    rows: rows.map(([name, value]) => ({ name, value })),
    isList: rows.every(([, value]) => value === ''),
  }))
  const diagnoses = diagnosesOf(record, timeline, root)
  const sections = [
    ...(diagnoses.length > 0 ? [{ id: 'diagnosis', title: 'Diagnosis' }] : []),
    ...(incidents.length + dropped.incidents > 0 ? [{ id: 'exception', title: 'Exception' }] : []),
    ...(timeline.rows.length > 0 ? [{ id: 'timeline', title: 'Timeline' }] : []),
    ...(record.lines.length + dropped.lines > 0 ? [{ id: 'log', title: 'Log' }] : []),
    ...tables,
  ]
  const values = {
    ...view,
    isSelect,
    kindTitle,
    noStep,
    share,
    table,
    tickText,
    toneOfKind,
    diagnoses,
    sections,
    tables,
    timeline,
    timelineNote: timelineNote(record, timeline),
    facts: factsOf(record),
    // What comes later happened after the response.
    sentMs: kind === 'request' ? durationMs : null,
    incidents: incidents.map((one, at) => incidentOf(one, at * numbersPerIncident, root)).join(''),
    place: (caller: CallSite) => callerLink(caller, root),
    stepText: (step: RecordedStep, text: string) => stepText(step, text, hasMails),
  }
  const data = { number, token }
  return documentOf({ title: `${status} ${subject}`, view: 'activity', values, frame, data })
}

/** What the title of an activity is. */
const titleNames: Readonly<Record<ActivityKinds, string>> = {
  request: 'Route',
  job: 'Queue',
  command: 'Command',
  task: 'Task',
}

function factsOf(record: ActivityRecord): readonly (readonly [string, string])[] {
  const { kind, id, title, account, span, pid, at, durationMs } = record
  return [
    [titleNames[kind], title],
    ['Took', durationText(durationMs)],
    ['At', timeText(at)],
    ...(account === null ? [] : [['Account', account] as const]),
    ['Id', id],
    ['Process', String(pid)],
    ...(span === null ? [] : [['Trace', span.traceId] as const]),
  ]
}

function timelineNote({ steps, statements, statementMs }: ActivityRecord, all: Timeline): string {
  const queries = countText(statements, 'query', 'queries')
  return [
    ...(steps.length === 0 ? [] : [countText(steps.length, 'step', 'steps')]),
    ...(statements === 0 ? [] : [`${queries} in ${durationText(statementMs)}`]),
    `${durationText(all.totalMs)} in all`,
  ].join(', ')
}

/** What is striking about an activity, and what to do about it. */
interface Diagnosis {
  readonly title: string
  /** HTML. */
  readonly text: string
  readonly statement?: string
}

/** Slow steps beyond these are only marked. */
const maxSlow = 3
/** From when on time without a step is worth a look. */
const minGapMs = 50

function diagnosesOf({ repeats }: ActivityRecord, timeline: Timeline, root: string): Diagnosis[] {
  const { rows, totalMs, gaps } = timeline
  const link = (row: Timeline['rows'][number]): string =>
    `<a href="#step-${rows.indexOf(row)}">${durationText(row.durationMs)}</a>`
  const slow = rows.filter(({ isSlow }) => isSlow)
  return [
    ...repeats.map((repeated) => {
      const { statement, count, durationMs, caller } = repeated
      const took = `${count} × the same statement in ${durationText(durationMs)}`
      const text = `${took} from ${callerLink(caller, root)}. To fix it, ${html(repeatFix(repeated))}.`
      return { title: 'N+1:', text, statement }
    }),
    ...slow.slice(0, maxSlow).map((row) => {
      const place = row.caller === null ? '' : ` at ${callerLink(row.caller, root)}`
      const part = Math.round((row.durationMs / totalMs) * 100)
      const times = row.steps.length === 1 ? '' : ` in ${row.steps.length} steps`
      return {
        title: `Slow ${kindTitle(row.kind)}:`,
        text: `${link(row)}${times}, ${part} % of the time,${place || ' of the framework'}.`,
      }
    }),
    ...gaps.slice(0, 1).flatMap((gap) => {
      if (gap.durationMs < minGapMs) return []
      const text =
        `${link(gap)} ${gapTexts[gap.name] ?? ''} passed in no step: in code, in a view, or in a wait ` +
        `for something that is not followed. <code>trace()</code> around a part shows it here.`
      return [{ title: 'Unexplained:', text }]
    }),
  ]
}

const gapTexts: Readonly<Record<string, string>> = {
  handler: 'of the handler',
  middlewares: 'of the middlewares',
  span: 'of a span',
}

/** Numbers of the errors of one incident, so that the choices of their frames do not mix. */
const numbersPerIncident = 10

/** What was thrown and reported, as on the debug page. */
function incidentOf(incident: Incident, first: number, root: string): string {
  const [outer, ...others] = incident.chain
  if (outer === undefined) return ''
  const chained = others.map((error, at) => chainedError(error, first + at + 1, root))
  return (
    `<section class="error">${errorHeading(outer, 2, root)}${failedStep(incident.step, root)}` +
    `${errorBody(outer, first, root)}</section>${chained.join('')}`
  )
}

function failedStep(failed: IncidentStep | null, root: string): string {
  if (failed === null) return ''
  const place = failed.caller === null ? '' : ` at ${callerLink(failed.caller, root)}`
  return (
    `<p class="thrown">Failed ${html(failed.kind)} step after ${durationText(failed.durationMs)}${place}` +
    `</p>${failed.text === '' ? '' : `<pre class="rest">${html(failed.text)}</pre>`}`
  )
}

/** What a step did; mails and jobs lead to what became of them. */
function stepText({ kind, name }: RecordedStep, text: string, hasMails: boolean): string {
  if (kind === noStep) return html(`time ${gapTexts[name] ?? ''}`)
  if (kind === StepKinds.Sql) return html(text === '' ? `${name} (not kept)` : text)
  const shown = html(`${name} ${text}`.trim())
  if (kind === StepKinds.Push) {
    return `<a href="${html(`${inspectorPath}?kind=job&q=${encodeURIComponent(name)}`)}">${shown}</a>`
  }
  if (kind !== StepKinds.Mail || !hasMails || text === '') return shown
  return `<a href="${html(`/mails/of/${encodeURIComponent(text)}`)}">${shown}</a>`
}

/** The line of the project that did something, as a link to the editor. */
function callerLink({ file, line, call }: CallSite, root: string): string {
  const link = editorLink({ file, line, column: 1 })
  const place = `<code>${html(`${fileLabel(file, root)}:${line}`)}</code>`
  const shown =
    link === ''
      ? place
      : `<a class="place" href="${html(link)}" title="Open in the editor">${place}</a>`
  return call === '' ? shown : `${shown} in <code>${html(call)}</code>`
}
