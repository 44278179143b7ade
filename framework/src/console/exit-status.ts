/** How a command ended, as the shell sees it. */
export const ExitStatus = {
  Ok: 0,
  /** Something the user can mend: a bad setting, a taken port, a folder that is not empty. */
  UserError: 1,
  /** The command line itself is wrong. */
  UsageError: 2,
  /** Something was thrown that nobody expected. */
  Uncaught: 255,
} as const
Object.freeze(ExitStatus)

/** How a command ended, as the shell sees it. */
export type ExitStatus = (typeof ExitStatus)[keyof typeof ExitStatus]
