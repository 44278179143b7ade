import type { ErrorCode } from '../error-codes.ts'
import { FrameworkError } from '../errors.ts'

const LINES_AROUND = 2
const maxLineLength = 120

/** A line of a template, for error messages. */
export interface TemplateLocation {
  /** Absolute path of the template. */
  readonly file: string
  /** The path as shown to people: `views/account.template.html`. */
  readonly label: string
  readonly source: string
  readonly line: number
}

/**
 * A template does not compile or failed while rendering. The message starts with `label:line` and
 * shows the lines around it; `cause` is the original error.
 */
export class TemplateError extends FrameworkError {
  readonly file: string
  /** Line in the template's source, from 1. */
  readonly line: number

  constructor(code: ErrorCode, location: TemplateLocation, reason: string, options?: ErrorOptions) {
    const { file, label, line } = location
    super(code, `${label}:${line}: ${reason}\n\n${excerpt(location)}`, options)
    this.file = file
    this.line = line
    // The template is the first frame, so that reports show its source.
    const frames = (this.stack ?? '').split('\n').filter((text) => /^\s+at /.test(text))
    this.stack = [
      `${this.name}: ${this.message}`,
      `    at template (${file}:${line}:1)`,
      ...frames,
    ].join('\n')
  }
}

function excerpt({ source, line }: TemplateLocation): string {
  const lines = source.split(/\r?\n/)
  const first = Math.max(1, Math.min(line - LINES_AROUND, lines.length - 2 * LINES_AROUND))
  const last = Math.min(lines.length, first + 2 * LINES_AROUND)
  const width = String(last).length
  return lines
    .slice(first - 1, last)
    .map((text, index) => {
      const number = first + index
      const shown = text.length > maxLineLength ? `${text.slice(0, maxLineLength)}…` : text
      return `${number === line ? '>' : ' '} ${String(number).padStart(width)} | ${shown}`.trimEnd()
    })
    .join('\n')
}
