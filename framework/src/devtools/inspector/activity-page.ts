import { DEFAULT_EDITOR } from '../../errors/page/editor-link.ts'
import { chainedError, errorBody, errorHeading } from '../../errors/page/page-error.ts'
import { table } from '../../errors/page/page-context.ts'
import { PageView } from '../../errors/page/page-view.ts'
import { html } from '../../errors/reports/page-text.ts'
import type { ActivityKinds } from '../../activity/activity.ts'
import type { Incident, IncidentStep } from '../../incidents/incident.ts'
import type { ActivityRecord, RecordedTable, RecordedLine } from './activity-record.ts'
import { droppedNote, callerLink } from './activity-view.ts'
import type { ActivityView, Part } from './activity-view.ts'
import { durationText, timeText, countText } from './format.ts'
import { inspectorPath } from './inspector-path.ts'
import { toneOf } from './list-row.ts'
import { documentOf } from './page-frame.ts'
import { queriesPart } from './queries-part.ts'
import { timelinePart } from './timeline-part.ts'
import { workParts } from './work-parts.ts'

/** Longer tables, such as those of headers, are folded. */
const maxOpenRows = 8

/** The page of one request, job or command. */
export function activityPage(view: ActivityView): string {
  const { record, number, nonce, token } = view
  const { subject, status } = record
  const parts = [
    incidentsPart(view),
    timelinePart(view),
    queriesPart(view),
    linesPart(view),
    ...workParts(view),
    ...tableParts(record),
  ].filter(({ content }) => content !== '')
  const body =
    `<header class="activity"><nav aria-label="Site"><a href="${inspectorPath}" id="back">Inspector</a>` +
    `${linkTo('older', view.older)}${linkTo('newer', view.newer)}</nav>` +
    `<h1><span class="subject">${html(subject)}</span> ` +
    `<span class="status ${toneOf(record)}">${html(status)}</span></h1>` +
    `${factsOf(record)}${jumpsTo(parts)}</header><main>${parts.map(sectionOf).join('')}</main>` +
    `<footer class="help"><p class="live" hidden><kbd>j</kbd> <kbd>k</kbd> older and newer, ` +
    `<kbd>/</kbd> searches, <kbd>Esc</kbd> back to the list.</p></footer>`
  const data = { number, token }
  return documentOf({ title: `${status} ${subject}`, body, module: 'activity', nonce, data })
}

function linkTo(side: 'older' | 'newer', number: number | null): string {
  if (number === null) return ''
  const name = side === 'older' ? 'Older' : 'Newer'
  return ` · <a href="${inspectorPath}/${number}" id="${side}">${name}</a>`
}

/** What the title of an activity is. */
const titleNames: Readonly<Record<ActivityKinds, string>> = {
  request: 'Route',
  job: 'Queue',
  command: 'Command',
  task: 'Task',
}

function factsOf(record: ActivityRecord): string {
  const { kind, id, title, account, span, pid, at, durationMs } = record
  const facts: readonly (readonly [string, string])[] = [
    [titleNames[kind], title],
    ['Took', durationText(durationMs)],
    ['At', timeText(at)],
    ...(account === null ? [] : [['Account', account] as const]),
    ['Id', id],
    ['Process', String(pid)],
    ...(span === null ? [] : [['Trace', span.traceId] as const]),
  ]
  const shown = facts.map(([name, value]) => `<div><dt>${name}</dt><dd>${html(value)}</dd></div>`)
  return `<dl class="facts">${shown.join('')}</dl>`
}

/** Links to the sections that the page has. */
function jumpsTo(parts: readonly Part[]): string {
  if (parts.length < 2) return ''
  const links = parts.map(({ id, title }) => `<a href="#${id}">${html(title)}</a>`)
  return `<nav class="jumps" aria-label="Sections">${links.join('')}</nav>`
}

function sectionOf({ id, title, note = '', content }: Part): string {
  const small = note === '' ? '' : ` <small>${html(note)}</small>`
  return (
    `<section class="part" id="${id}" aria-labelledby="${id}-title">` +
    `<h2 id="${id}-title">${html(title)}${small}</h2>${content}</section>`
  )
}

/** Numbers of the errors of one incident, so that the choices of their frames do not mix. */
const numbersPerIncident = 10

/** What was thrown and reported, as on the debug page. */
function incidentsPart({ record, root }: ActivityView): Part {
  const page = new PageView(root, DEFAULT_EDITOR)
  const shown = record.incidents.map((incident, at) =>
    incidentOf(incident, at * numbersPerIncident, page, root),
  )
  return {
    id: 'exception',
    title: shown.length === 1 ? 'Exception' : 'Exceptions',
    content: shown.join('') + droppedNote(record.dropped.incidents, 'exceptions'),
  }
}

function incidentOf(incident: Incident, first: number, page: PageView, root: string): string {
  const [outer, ...others] = incident.chain
  if (outer === undefined) return ''
  const chained = others.map((error, at) => chainedError(error, first + at + 1, page))
  return (
    `<section class="error">${errorHeading(outer, 2, page)}${failedStep(incident.step, root)}` +
    `${errorBody(outer, first, page)}</section>${chained.join('')}`
  )
}

function failedStep(failed: IncidentStep | null, root: string): string {
  if (failed === null) return ''
  const caller = callerLink(failed.caller, root)
  const place = caller === '' ? '' : ` at ${caller}`
  return (
    `<p class="thrown">Failed ${html(failed.kind)} step after ${durationText(failed.durationMs)}${place}` +
    `</p>${failed.text === '' ? '' : `<pre class="rest">${html(failed.text)}</pre>`}`
  )
}

/** The log lines. */
function linesPart({ record: { lines, at, dropped } }: ActivityView): Part {
  const rows = lines.map((line) => lineRow(line, at)).join('')
  const table = rows === '' ? '' : `<table class="lines"><tbody>${rows}</tbody></table>`
  return {
    id: 'log',
    title: 'Log',
    note: countText(lines.length, 'line', 'lines'),
    content: table + droppedNote(dropped.lines, 'lines'),
  }
}

function lineRow({ at, level, channel, message, context }: RecordedLine, start: number): string {
  const more =
    context === ''
      ? ''
      : `<details><summary>context</summary><pre><code>${html(context)}</code></pre></details>`
  const ms = Math.max(0, Math.round((at - start) * 1_000))
  return (
    `<tr><td>+${ms} ms</td><td><span class="level-${html(level.toLowerCase())}">${html(level)}</span> ` +
    `${html(channel)}</td><td>${html(message)}${more}</td></tr>`
  )
}

function tableParts({ tables }: ActivityRecord): Part[] {
  return tables.map((one) => {
    const id = one.title.toLowerCase().replaceAll(/[^a-z]+/g, '-')
    return { id, title: one.title, content: contentOf(one) }
  })
}

/** A list of names alone, or a table, folded if it is long. */
function contentOf({ rows }: RecordedTable): string {
  if (rows.every(([, value]) => value === '')) {
    const items = rows.map(([name]) => `<li><code>${html(name)}</code></li>`)
    return `<ul class="names">${items.join('')}</ul>`
  }
  const shown = table(rows.map(([name, value]) => ({ name, value })))
  if (rows.length <= maxOpenRows) return shown
  return `<details><summary>${rows.length} rows</summary>${shown}</details>`
}
