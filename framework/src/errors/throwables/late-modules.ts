import { lateModule } from '../../base/late-module.ts'
import type * as AnsiReport from '../reports/ansi-report.ts'
import type * as Frames from '../stack/frames.ts'
import type * as HtmlReport from '../reports/html-report.ts'
import type * as ProcessHandlers from './process-handlers.ts'

/** The terminal report. */
export const loadAnsiReport: () => typeof AnsiReport = lateModule(
  import.meta,
  '../reports/ansi-report',
)

/** The HTML report. */
export const loadHtmlReport: () => typeof HtmlReport = lateModule(
  import.meta,
  '../reports/html-report',
)

/** The stack parser. */
export const loadFrames: () => typeof Frames = lateModule(import.meta, '../stack/frames')

/** The handlers for uncaught errors. */
export const loadProcessHandlers: () => typeof ProcessHandlers = lateModule(
  import.meta,
  './process-handlers',
)
