import { createRequire } from 'node:module'
import { extname } from 'node:path'
import type * as AnsiReport from '../reports/ansi-report.ts'
import type * as Frames from '../stack/frames.ts'
import type * as HtmlReport from '../reports/html-report.ts'
import type * as ProcessHandlers from './process-handlers.ts'

// What most processes never need is loaded when it is first asked for, so that they start sooner.

const require = createRequire(import.meta.url)
const ending = extname(import.meta.filename)

/** The report for terminals. */
export function loadAnsiReport(): typeof AnsiReport {
  return require(`../reports/ansi-report${ending}`)
}

/** The report for documents. */
export function loadHtmlReport(): typeof HtmlReport {
  return require(`../reports/html-report${ending}`)
}

/** What reads stacks. */
export function loadFrames(): typeof Frames {
  return require(`../stack/frames${ending}`)
}

/** What handles, in this process, what nobody catches. */
export function loadProcessHandlers(): typeof ProcessHandlers {
  return require(`./process-handlers${ending}`)
}
