import { html } from '../errors/reports/page-text.ts'
import { chainTitles } from '../errors/stack/error-chain.ts'
import type { IncidentActivity } from '../incidents/incident.ts'
import { inspectorPath } from '../devtools/inspector/inspector-path.ts'
import { definition, moment } from '../devtools/page-frame.ts'
import type { ShownStep } from '../incidents/shown-incident.ts'
import type { ErrorSample, SampleError, SampleFrame } from './error-sample.ts'
import type { ErrorDetails } from './error-store.ts'

/** Which sample is shown, and how. */
export interface SampleView {
  readonly details: ErrorDetails
  /** Id of the chosen sample; empty for the newest. */
  readonly sample: string
  /** Whether requests and jobs can be looked up in the inspector. */
  readonly inspects: boolean
}

/** By the relation in a stored sample. */
const relations: Readonly<Record<string, string>> = chainTitles

/** One sample of a group, with links to the others. */
export function samplePart({ details, sample: chosen, inspects }: SampleView): string {
  const { group, samples } = details
  if (samples.length === 0) {
    return `<section><h2>Samples</h2><p class="card none">None was kept.</p></section>`
  }
  const at = Math.max(
    0,
    samples.findIndex(({ id }) => id === chosen),
  )
  const stored = samples[at]
  if (stored === undefined) return ''
  const link = (index: number, text: string): string => {
    const id = samples[index]?.id
    const href = html(`/errors/${group.fingerprint}?sample=${id}`)
    return id === undefined ? '' : `<li><a href="${href}">${text}</a></li>`
  }
  return (
    `<section><h2>Sample</h2><nav aria-label="Samples"><ul class="pages">${link(at - 1, 'Newer')}` +
    `<li>${at + 1} of ${samples.length}</li>${link(at + 1, 'Older')}</ul></nav>` +
    `${factsOf(stored.sample, inspects)}${stored.sample.chain.map(errorPart).join('')}</section>`
  )
}

/** How parts of the context are called; the method is part of the request already. */
const contextNames: ReadonlyMap<string, string> = new Map([
  ['method', ''],
  ['URI', 'Path'],
])

function factsOf(sample: ErrorSample, inspects: boolean): string {
  const { at, release, activity, span, step, context } = sample
  const rows = [
    definition('At', moment(at)),
    definition('Release', html(release)),
    ...(activity === null
      ? []
      : [
          definition(kindName(activity.kind), html(activity.title)),
          definition('Id', inspects ? inspectorLink(activity) : codeText(activity.id)),
          definition('Account', activity.account === null ? '' : codeText(activity.account)),
        ]),
    definition('Trace', span === null ? '' : codeText(span.traceId)),
    definition('Span', span === null ? '' : codeText(span.spanId)),
    ...context
      .filter(({ name, preview }) => contextNames.get(name) !== '' && preview !== activity?.id)
      .map(({ name, preview }) => definition(contextNames.get(name) ?? name, html(preview))),
  ]
  return `<dl class="card">${rows.join('')}</dl>${step === null ? '' : stepPart(step)}`
}

function inspectorLink({ kind, id }: IncidentActivity): string {
  return `<a href="${html(`${inspectorPath}/${kind}/${encodeURIComponent(id)}`)}">${codeText(id)}</a>`
}

function stepPart({ kind, name, text, durationMs, caller }: ShownStep): string {
  const from = caller === '' ? '' : ` from <code>${html(caller)}</code>`
  const statement = text === '' ? '' : `<pre class="card" tabindex="0">${html(text)}</pre>`
  return (
    `<h3>Failed step</h3><p class="note">${html(kind)} ${html(name)}, ${durationMs} ms${from}</p>` +
    statement
  )
}

function errorPart(error: SampleError): string {
  const { relation, message, properties, frames } = error
  return (
    `<div class="cause"><p class="relation">${relations[relation] ?? ''}</p>` +
    `<span class="class">${html(error.class)}</span><p class="message">${html(message)}</p>` +
    `${propertyTable(properties)}${frameList(frames)}</div>`
  )
}

function propertyTable(properties: SampleError['properties']): string {
  if (properties.length === 0) return ''
  const rows = properties.map(
    ({ name, preview }) => `<tr><th scope="row">${html(name)}</th><td>${html(preview)}</td></tr>`,
  )
  return `<div class="card"><table class="headers"><tbody>${rows.join('')}</tbody></table></div>`
}

/** The frames; runs of frames that are not the project's own are folded. */
function frameList(frames: readonly SampleFrame[]): string {
  if (frames.length === 0) return ''
  let items = ''
  let run: SampleFrame[] = []
  const fold = (): void => {
    if (run.length > 0) items += folded(run)
    run = []
  }
  for (const frame of frames) {
    if (!frame.isOwn) {
      run.push(frame)
      continue
    }
    fold()
    items += frameItem(frame)
  }
  fold()
  return `<h3>Frames</h3><ol class="card frames">${items}</ol>`
}

function folded(frames: readonly SampleFrame[]): string {
  const title = `${frames.length} other ${frames.length === 1 ? 'frame' : 'frames'}`
  return (
    `<li><details><summary>${title}</summary>` +
    `<ol>${frames.map(frameItem).join('')}</ol></details></li>`
  )
}

function frameItem({ call, file, line, isOwn }: SampleFrame): string {
  const place = line === 0 ? file : `${file}:${line}`
  return (
    `<li${isOwn ? ' class="own"' : ''}><span class="call">${html(call === '' ? 'top level' : call)}</span>` +
    `<span class="at">${html(place)}</span></li>`
  )
}

function kindName(kind: string): string {
  return kind.slice(0, 1).toUpperCase() + kind.slice(1)
}

/** A text as code. */
export function codeText(text: string): string {
  return `<code>${html(text)}</code>`
}
