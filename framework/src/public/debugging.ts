export { Debugging, type Target } from '../base/throwables/debugging.ts'
export {
  ErrorException,
  FatalErrors,
  type FatalError,
} from '../base/crash-reports/error-exception.ts'
export { Page, type PageContext, type PageOptions } from '../base/debug-page/page.ts'
export type { ReportLimit } from '../base/throwables/report-limit.ts'
export { Shutdown, createShutdown, type ShutdownOptions } from '../base/throwables/shutdown.ts'
export {
  Throwables,
  createThrowables,
  type ReportContext,
  type Reporter,
  type ThrowablesOptions,
} from '../base/throwables/throwables.ts'
