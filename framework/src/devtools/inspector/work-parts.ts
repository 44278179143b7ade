import { html } from '../../errors/reports/page-text.ts'
import { StepKinds } from '../../activity/step.ts'
import type { RecordedStep } from './activity-record.ts'
import { callerLink } from './activity-view.ts'
import type { ActivityView, Part } from './activity-view.ts'
import { countText, durationText } from './format.ts'

/** Mails, pushed jobs and look-ups in caches, each with the line of the project that caused it. */
export function workParts(view: ActivityView): Part[] {
  const { steps } = view.record
  const of = (kind: StepKinds): readonly RecordedStep[] =>
    steps.filter((step) => step.kind === kind)
  const mails = of(StepKinds.Mail)
  const pushed = of(StepKinds.Push)
  const looked = of(StepKinds.Cache)
  const hits = looked.filter(({ name }) => name === 'hit').length
  return [
    {
      id: 'mails',
      title: 'Mails',
      note: String(mails.length),
      content: listOf(mails, view, (step) => mailText(step, view)),
    },
    {
      id: 'jobs',
      title: 'Pushed jobs',
      note: String(pushed.length),
      content: listOf(pushed, view, jobText),
    },
    {
      id: 'cache',
      title: 'Cache',
      note: `${countText(hits, 'hit', 'hits')}, ${countText(looked.length - hits, 'miss', 'misses')}`,
      content: listOf(looked, view, ({ name }) => html(name)),
    },
  ]
}

function listOf(
  steps: readonly RecordedStep[],
  { root }: ActivityView,
  textOf: (step: RecordedStep) => string,
): string {
  if (steps.length === 0) return ''
  const rows = steps.map((step) => {
    const failed = step.failure === null ? '' : ` <span class="bad">${html(step.failure)}</span>`
    const caller = callerLink(step.caller, root)
    return (
      `<tr><td>${textOf(step)}${failed}</td><td>${caller === '' ? '–' : caller}</td>` +
      `<td>${durationText(step.durationMs)}</td></tr>`
    )
  })
  return (
    `<table class="steps plain"><thead><tr><th scope="col">What</th><th scope="col">Where</th>` +
    `<th scope="col">Took</th></tr></thead><tbody>${rows.join('')}</tbody></table>`
  )
}

function mailText({ name, text }: RecordedStep, { record, hasMails }: ActivityView): string {
  const message = record.texts[text] ?? ''
  const shown = html(`${name} ${message}`.trim())
  if (!hasMails || message === '') return shown
  return `<a href="${html(`/mails/of/${encodeURIComponent(message)}`)}">${shown}</a>`
}

function jobText({ name }: RecordedStep): string {
  return `<a href="${html(`/inspect?kind=job&q=${encodeURIComponent(name)}`)}">${html(name)}</a>`
}
