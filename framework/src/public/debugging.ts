export { Debugging, type Target } from '../errors/throwables/throwables.ts'
export {
  ErrorException,
  FatalErrors,
  type FatalError,
} from '../errors/crash-reports/error-exception.ts'
export { Page, type PageContext } from '../errors/page/page.ts'
export type { ReportLimit } from '../errors/throwables/report-limit.ts'
export { Shutdown } from '../errors/throwables/shutdown.ts'
export {
  Throwables,
  createThrowables,
  type ReportContext,
  type Reporter,
} from '../errors/throwables/throwables.ts'
