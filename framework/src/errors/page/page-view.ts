import { editorLink } from './editor-link.ts'
import { fileLabel } from '../stack/file-label.ts'
import type { Frame } from '../stack/frames.ts'
import { Origins } from '../stack/frames.ts'
import { EXCERPT_MARGIN, sourceLines } from '../stack/source-file.ts'

// Longer lines are generated code; seventeen of them would bury the page.
const maxReadableLength = 240

/** Shared by the parts of one page: formats locations, and knows which sources are worth showing. */
export class PageView {
  readonly #root: string
  readonly #editor: string

  constructor(root: string, editor: string) {
    this.#root = root
    this.#editor = editor
  }

  /** The file of a frame, relative to the root. */
  label({ file }: Frame): string {
    return fileLabel(file, this.#root)
  }

  /** The location of a frame: `src/users.ts:12:9`. */
  place(frame: Frame): string {
    const { line, column } = frame
    if (line === 0) return this.label(frame)
    return `${this.label(frame)}:${line}${column === 0 ? '' : `:${column}`}`
  }

  /** The URL that opens a frame in an editor, or an empty string. */
  link(frame: Frame): string {
    return frame.line === 0 ? '' : editorLink(this.#editor, frame)
  }

  /** All lines of a frame's file, or null when there is nothing worth showing. */
  lines(frame: Frame): readonly string[] | null {
    if (frame.origin === Origins.Node || frame.line === 0) return null
    const lines = sourceLines(frame.file)
    if (lines === null || frame.line > lines.length) return null
    return frame.origin === Origins.Application || isReadable(lines, frame.line) ? lines : null
  }
}

function isReadable(lines: readonly string[], line: number): boolean {
  const first = Math.max(0, line - 1 - EXCERPT_MARGIN)
  for (let at = first; at < line + EXCERPT_MARGIN; at += 1) {
    if ((lines[at]?.length ?? 0) > maxReadableLength) return false
  }
  return true
}
