/** Exit status of a command. */
export const ExitStatus = {
  Ok: 0,
  /** An error the user can fix: an invalid setting, a port in use, a folder that is not empty. */
  UserError: 1,
  /** The command line itself is wrong. */
  UsageError: 2,
  /** An unexpected error. */
  Uncaught: 255,
} as const
Object.freeze(ExitStatus)

export type ExitStatus = (typeof ExitStatus)[keyof typeof ExitStatus]
