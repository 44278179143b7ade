import { html } from '../../errors/reports/page-text.ts'
import { StepKinds } from '../../activity/step.ts'
import type { RecordedPhase, RecordedStep } from './activity-record.ts'
import { droppedNote } from './activity-view.ts'
import type { ActivityView, Part } from './activity-view.ts'
import { countText, durationText } from './format.ts'

const known: ReadonlySet<string> = new Set(Object.values(StepKinds))

/** What a kind is called; one that is not listed is shown as it is, such as spans of other parts. */
const titles: Readonly<Record<string, string>> = {
  sql: 'SQL',
  pool: 'pool',
  redis: 'Redis',
  mail: 'mail',
  push: 'job',
  cache: 'cache',
  fetch: 'fetch',
  span: 'span',
}

/** Every phase and step as a bar on the time of the activity. */
export function timelinePart({ record }: ActivityView): Part {
  const { phases, durationMs, dropped } = record
  const steps = [...phases.map(stepOf), ...record.steps]
  const ends = steps.map(({ startMs, durationMs: took }) => startMs + took)
  // Work after the response is drawn too.
  const total = Math.max(durationMs, ...ends, 0.001)
  const rows = steps.toSorted((one, other) => one.startMs - other.startMs)
  const list =
    `<table class="steps"><thead><tr><th scope="col">Kind</th><th scope="col">Step</th>` +
    `<th scope="col">Took</th><th scope="col">When</th></tr></thead><tbody>` +
    `${rows.map((step) => rowOf(step, record.texts[step.text] ?? '', total)).join('')}</tbody></table>`
  const count = record.steps.length
  const note = `${count === 0 ? '' : `${countText(count, 'step', 'steps')} in `}${durationText(total)}`
  const content = steps.length === 0 ? '' : list + droppedNote(dropped.steps, 'steps')
  return { id: 'timeline', title: 'Timeline', note, content }
}

function stepOf(phase: RecordedPhase): RecordedStep {
  return { ...phase, text: -1, count: 0, failure: null, caller: null }
}

function rowOf(step: RecordedStep, text: string, total: number): string {
  const { kind, name, startMs, durationMs, failure } = step
  const what = text === '' ? name : `${kind === StepKinds.Sql ? '' : `${name} `}${text}`
  const failed = failure === null ? '' : ` <span class="bad">${html(failure)}</span>`
  return (
    `<tr><td>${html(titles[kind] ?? kind)}</td>` +
    `<td><span class="what">${html(what)}</span>${failed}</td>` +
    `<td>${durationText(durationMs)}</td><td>${barOf(step, total)}` +
    `<span class="unseen">after ${durationText(Math.max(0, startMs))}</span></td></tr>`
  )
}

// An SVG, because the policy of the page allows no style attributes.
function barOf({ kind, startMs, durationMs, failure }: RecordedStep, total: number): string {
  const share = (ms: number): number => Math.min(100, Math.max(0, (ms / total) * 100))
  const width = Math.max(0.6, share(durationMs))
  const x = Math.min(100 - width, share(startMs))
  const tone = failure === null ? (known.has(kind) ? kind : 'other') : 'failed'
  return (
    `<svg class="track" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">` +
    `<rect class="bar-${tone}" x="${x.toFixed(2)}" y="1" width="${width.toFixed(2)}" height="8"/></svg>`
  )
}
