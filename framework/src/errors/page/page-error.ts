import { table } from './page-context.ts'
import { excerptPanel, placeLink } from './page-excerpt.ts'
import { frameList } from './page-frames.ts'
import type { PageView } from './page-view.ts'
import type { Description } from '../reports/description.ts'
import { html } from '../reports/page-text.ts'
import { chainTitles, Relations } from '../stack/error-chain.ts'

const maxHeadlineLength = 300
const maxOpenCharacters = 1_200
const maxOpenLines = 16

/** A heading of the given level with class, message and throw point of an error. */
export function errorHeading(description: Description, level: 1 | 2, view: PageView): string {
  const { headline, rest } = splitMessage(description.message)
  const at = description.frames.find(({ line }) => line > 0)
  const message = headline === '' ? '<em>no message</em>' : html(headline)
  return (
    `<h${level}><span class="class">${html(description.class)}</span> ` +
    `<span class="message">${message}</span></h${level}>` +
    restOfMessage(rest) +
    (at === undefined ? '' : `<p class="thrown">at ${placeLink(at, view)}${inCall(at.call)}</p>`)
  )
}

/** The frames of an error with their sources, then its properties. */
export function errorBody(description: Description, index: number, view: PageView): string {
  const { frames, properties, relation } = description
  const sources = frames.map((frame) => view.lines(frame))
  const list = frameList({ frames, sources, group: `frames-${index}` }, view)
  let panels = ''
  for (const [at, frame] of frames.entries()) {
    const lines = sources[at]
    if (lines) panels += excerptPanel(frame, at, lines, view)
  }
  if (panels === '') panels = '<p class="none">No source available.</p>'
  const stack =
    frames.length === 0
      ? '<p class="none">This error has no stack.</p>'
      : `<div class="stack">${list}<div class="panels">${panels}</div></div>`
  if (properties.length === 0) return stack
  const level = relation === Relations.Thrown ? 'h2' : 'h3'
  const rows = properties.map(({ name, preview }) => ({ name, value: preview }))
  return `${stack}<${level} class="title">Properties</${level}>${table(rows)}`
}

/** An error from the chain, with frames, sources and properties. */
export function chainedError(description: Description, index: number, view: PageView): string {
  return (
    `<section class="error" id="error-${index}">` +
    `<p class="relation">${chainTitles[description.relation]}</p>` +
    `${errorHeading(description, 2, view)}${errorBody(description, index, view)}</section>`
  )
}

/** Links to the other errors of the chain; empty when there are none. */
export function chainLinks(descriptions: readonly Description[]): string {
  let items = ''
  for (const [index, { relation, class: name, message }] of descriptions.entries()) {
    if (relation === Relations.Thrown) continue
    const { headline } = splitMessage(message)
    items +=
      `<li><span class="relation">${chainTitles[relation]}</span> ` +
      `<a href="#error-${index}"><b>${html(name)}</b> ${html(headline)}</a></li>`
  }
  return items === '' ? '' : `<nav aria-label="Chain of errors"><ul>${items}</ul></nav>`
}

function inCall(call: string): string {
  return call === '' ? '' : ` in <code>${html(call)}</code>`
}

function splitMessage(message: string): { readonly headline: string; readonly rest: string } {
  const end = message.indexOf('\n')
  const first = end === -1 ? message : message.slice(0, end)
  if (first.length > maxHeadlineLength) {
    return { headline: `${first.slice(0, maxHeadlineLength)}…`, rest: message }
  }
  return { headline: first, rest: end === -1 ? '' : message.slice(end).replace(/^\n+/, '') }
}

function restOfMessage(rest: string): string {
  if (rest === '') return ''
  const text = `<pre class="rest">${html(rest)}</pre>`
  const short =
    rest.length <= maxOpenCharacters && rest.split('\n', maxOpenLines + 1).length <= maxOpenLines
  if (short) return text
  return `<details class="more"><summary>Full message, ${rest.length} characters</summary>${text}</details>`
}
