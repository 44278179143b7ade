export {
  Throwables,
  createThrowables,
  type ReportContext,
  type Reporter,
} from '../base/debugging/throwables.ts'
