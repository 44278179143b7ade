import { createRequire } from 'node:module'
import { extname } from 'node:path'
import type * as AnsiReport from '../reports/ansi-report.ts'
import type * as Frames from '../stack/frames.ts'
import type * as HtmlReport from '../reports/html-report.ts'
import type * as ProcessHandlers from './process-handlers.ts'

// Most processes never need these modules; loading them on first use makes processes start faster.

const require = createRequire(import.meta.url)
const ending = extname(import.meta.filename)

/** The terminal report. */
export function loadAnsiReport(): typeof AnsiReport {
  return require(`../reports/ansi-report${ending}`)
}

/** The HTML report. */
export function loadHtmlReport(): typeof HtmlReport {
  return require(`../reports/html-report${ending}`)
}

/** The stack parser. */
export function loadFrames(): typeof Frames {
  return require(`../stack/frames${ending}`)
}

/** The handlers for uncaught errors. */
export function loadProcessHandlers(): typeof ProcessHandlers {
  return require(`./process-handlers${ending}`)
}
