/** What the driver says of a failure. Its message is left out: it repeats the statement and values. */
export interface DriverError {
  /** Number of the server's error or of the driver's own, else 0. */
  readonly number: number
  /** SQLSTATE, or empty. */
  readonly state: string
  /** Name of the failure: the system's, such as ECONNREFUSED, or the driver's. */
  readonly name: string
  /** The server's own words. They may hold values. */
  readonly words: string
}

const OWN_NUMBERS = 45_000

/** Reads what was thrown by the driver. */
export function driverError(thrown: unknown): DriverError {
  const { errno, sqlState, code, sqlMessage } = Object(thrown)
  return {
    // Errors of the system have negative numbers, which are not the server's.
    number: typeof errno === 'number' && errno > 0 ? errno : 0,
    state: typeof sqlState === 'string' ? sqlState : '',
    name: typeof code === 'string' ? code : '',
    words: typeof sqlMessage === 'string' ? sqlMessage : '',
  }
}

/** Whether the server sent this error, and not the driver or the system. */
export function isOfServer({ number }: DriverError): boolean {
  return number > 0 && number < OWN_NUMBERS
}

/** The code to show: the server's number, else the name. */
export function nativeCode(error: DriverError): string | null {
  if (isOfServer(error)) return String(error.number)
  return error.name === '' ? null : error.name
}
