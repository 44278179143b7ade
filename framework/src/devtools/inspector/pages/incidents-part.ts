import { DEFAULT_EDITOR } from '../../../errors/page/editor-link.ts'
import { chainedError, errorBody, errorHeading } from '../../../errors/page/page-error.ts'
import { PageView } from '../../../errors/page/page-view.ts'
import { html } from '../../../errors/reports/page-text.ts'
import type { Incident, IncidentStep } from '../../../incidents/incident.ts'
import { callerLink, droppedNote } from './activity-view.ts'
import type { ActivityView, Part } from './activity-view.ts'
import { durationText } from './format.ts'

/** Numbers of the errors of one incident, so that the choices of their frames do not mix. */
const step = 10

/** What was thrown and reported, as on the debug page. */
export function incidentsPart({ record, root }: ActivityView): Part {
  const page = new PageView(root, DEFAULT_EDITOR)
  const shown = record.incidents.map((incident, at) => incidentOf(incident, at * step, page, root))
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
