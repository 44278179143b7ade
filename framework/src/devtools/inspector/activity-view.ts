import { DEFAULT_EDITOR, editorLink } from '../../errors/page/editor-link.ts'
import { html } from '../../errors/reports/page-text.ts'
import { fileLabel } from '../../errors/stack/file-label.ts'
import type { CallSite } from '../../activity/caller.ts'
import type { ActivityRecord } from './activity-record.ts'

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
  readonly nonce: string
  /** The token that the project's `Csrf` asks for; empty without sessions. */
  readonly token: string
  /** Whether statements can be explained. */
  readonly explains: boolean
  /** Whether mails can be shown. */
  readonly hasMails: boolean
}

/** A section of the page; it is left out if it has no content. */
export interface Part {
  readonly id: string
  readonly title: string
  /** Shown beside the title. @default '' */
  readonly note?: string
  /** HTML. */
  readonly content: string
}

/** The line of the project that did something, as a link to the editor; empty if there is none. */
export function callerLink(caller: CallSite | null, root: string): string {
  if (caller === null) return ''
  const { file, line, call } = caller
  const link = editorLink(DEFAULT_EDITOR, { file, line, column: 1 })
  const place = `<code>${html(`${fileLabel(file, root)}:${line}`)}</code>`
  const shown =
    link === ''
      ? place
      : `<a class="place" href="${html(link)}" title="Open in the editor">${place}</a>`
  return call === '' ? shown : `${shown} in <code>${html(call)}</code>`
}

/** A sentence about what was not kept; empty if everything was. */
export function droppedNote(count: number, what: string): string {
  return count === 0 ? '' : `<p class="note">${count} more ${what} were not kept.</p>`
}
