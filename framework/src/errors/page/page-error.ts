import { table } from './page-context.ts'
import { excerptPanel, placeLink, shownSource } from './page-excerpt.ts'
import type { Description } from '../reports/description.ts'
import { html } from '../reports/page-text.ts'
import { chainTitles, Relations } from '../stack/error-chain.ts'
import { fileLabel } from '../stack/file-label.ts'
import { Origins, isOwn } from '../stack/frames.ts'
import type { Frame } from '../stack/frames.ts'

const maxHeadlineLength = 300
const maxOpenCharacters = 1_200
const maxOpenLines = 16

/** A heading of the given level with class, message and place of an error: its nearest line of the project. */
export function errorHeading(description: Description, level: 1 | 2, root: string): string {
  const { headline, rest } = splitMessage(description.message)
  const { frames } = description
  const at = frames.find(isOwn) ?? frames.find(({ line }) => line > 0)
  const message = headline === '' ? '<em>no message</em>' : html(headline)
  return (
    `<h${level}><span class="class">${html(description.class)}</span> ` +
    `<span class="message">${message}</span></h${level}>` +
    restOfMessage(rest) +
    (at === undefined ? '' : `<p class="thrown">at ${placeLink(at, root)}${inCall(at.call)}</p>`)
  )
}

/** The frames of an error with their sources, then its properties. */
export function errorBody(description: Description, index: number, root: string): string {
  const { frames, properties, relation } = description
  const sources = frames.map(shownSource)
  const list = frameList({ frames, sources, group: `frames-${index}` }, root)
  let panels = ''
  for (const [at, frame] of frames.entries()) {
    const lines = sources[at]
    if (lines) panels += excerptPanel(frame, at, lines, root)
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
export function chainedError(description: Description, index: number, root: string): string {
  return (
    `<section class="error" id="error-${index}">` +
    `<p class="relation">${chainTitles[description.relation]}</p>` +
    `${errorHeading(description, 2, root)}${errorBody(description, index, root)}</section>`
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

/** The frames of an error as a list to choose from. */
interface FrameList {
  readonly frames: readonly Frame[]
  /** The lines of each frame's file; null where there is no source to show. */
  readonly sources: readonly (readonly string[] | null)[]
  /** Name of the radio group, unique per error. */
  readonly group: string
}

/**
 * A group of radio buttons, so that frames can be selected by click and arrow keys without a script.
 * Runs of vendor and Node frames are folded.
 */
function frameList(list: FrameList, root: string): string {
  const { frames } = list
  const chosen = chosenFrame(list)
  let items = ''
  let at = 0
  while (at < frames.length) {
    const end = endOfRun(frames, at)
    items += end === at ? frameItem(list, at, chosen, root) : fold(list, at, end, chosen, root)
    at = Math.max(end, at + 1)
  }
  return `<fieldset class="frames"><legend>Frames</legend><ol>${items}</ol></fieldset>`
}

/** The first application frame with a source, else the first frame with one, else -1. */
function chosenFrame({ frames, sources }: FrameList): number {
  const own = frames.findIndex(
    ({ origin }, at) => origin === Origins.Application && sources[at] !== null,
  )
  return own === -1 ? sources.findIndex((source) => source !== null) : own
}

function endOfRun(frames: readonly Frame[], start: number): number {
  const own = frames.findIndex(({ origin }, at) => at >= start && origin === Origins.Application)
  return own === -1 ? frames.length : own
}

function fold(list: FrameList, start: number, end: number, chosen: number, root: string): string {
  let items = ''
  for (let at = start; at < end; at += 1) items += frameItem(list, at, chosen, root)
  const open = chosen >= start && chosen < end ? ' open' : ''
  const title = foldTitle(list.frames.slice(start, end))
  return `<li><details${open}><summary>${title}</summary><ol>${items}</ol></details></li>`
}

function foldTitle(frames: readonly Frame[]): string {
  const vendor = frames.filter(({ origin }) => origin === Origins.Vendor).length
  const node = frames.length - vendor
  const whose = [vendor > 0 ? 'vendor' : '', node > 0 ? 'node' : ''].filter((name) => name !== '')
  return `${frames.length} ${whose.join(' and ')} ${frames.length === 1 ? 'frame' : 'frames'}`
}

function frameItem(list: FrameList, at: number, chosen: number, root: string): string {
  const frame = list.frames[at]
  if (frame === undefined) return ''
  const { call, line } = frame
  const place = line === 0 ? frame.file : `${fileLabel(frame.file, root)}:${line}`
  const text =
    `<span class="call">${html(call === '' ? '(anonymous)' : call)}</span>` +
    `<span class="at">${html(place)}</span>`
  if (list.sources[at] === null) return `<li><div class="frame">${text}</div></li>`
  const id = `${list.group}-${at}`
  const checked = at === chosen ? ' checked' : ''
  return (
    `<li><input type="radio" class="f${at}" id="${id}" name="${list.group}"` +
    `${checked}><label class="frame" for="${id}">${text}</label></li>`
  )
}
