import { createRequire } from 'node:module'
import { extname } from 'node:path'
import type * as AnsiReport from './ansi-report.ts'
import type * as Frames from './frames.ts'
import type * as HtmlReport from './html-report.ts'
import type * as ProcessHandlers from './process-handlers.ts'

// What most processes never need is loaded when it is first asked for, so that they start sooner.

const require = createRequire(import.meta.url)
const ending = extname(import.meta.filename)

/** The report for terminals. */
export function loadAnsiReport(): typeof AnsiReport {
  return require(`./ansi-report${ending}`)
}

/** The report for documents. */
export function loadHtmlReport(): typeof HtmlReport {
  return require(`./html-report${ending}`)
}

/** What reads stacks. */
export function loadFrames(): typeof Frames {
  return require(`./frames${ending}`)
}

/** What handles, in this process, what nobody catches. */
export function loadProcessHandlers(): typeof ProcessHandlers {
  return require(`./process-handlers${ending}`)
}
