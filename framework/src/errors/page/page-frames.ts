import { Origins } from '../stack/frames.ts'
import type { Frame } from '../stack/frames.ts'
import { html } from '../reports/page-text.ts'
import type { PageView } from './page-view.ts'

/** The frames of an error as a list to choose from. */
export interface FrameList {
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
export function frameList(list: FrameList, view: PageView): string {
  const { frames } = list
  const chosen = chosenFrame(list)
  let items = ''
  let at = 0
  while (at < frames.length) {
    const end = endOfRun(frames, at)
    items += end === at ? frameItem(list, at, chosen, view) : fold(list, at, end, chosen, view)
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

function fold(list: FrameList, start: number, end: number, chosen: number, view: PageView): string {
  let items = ''
  for (let at = start; at < end; at += 1) items += frameItem(list, at, chosen, view)
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

function frameItem(list: FrameList, at: number, chosen: number, view: PageView): string {
  const frame = list.frames[at]
  if (frame === undefined) return ''
  const { call, line } = frame
  const place = line === 0 ? frame.file : `${view.label(frame)}:${line}`
  const text =
    `<span class="call">${html(call === '' ? 'top level' : call)}</span>` +
    `<span class="at">${html(place)}</span>`
  if (list.sources[at] === null) return `<li><div class="frame">${text}</div></li>`
  const id = `${list.group}-${at}`
  const checked = at === chosen ? ' checked' : ''
  return (
    `<li><input type="radio" class="f${at}" id="${id}" name="${list.group}" autocomplete="off"` +
    `${checked}><label class="frame" for="${id}">${text}</label></li>`
  )
}
